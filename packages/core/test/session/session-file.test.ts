import { execFileSync } from "node:child_process";
import { chmod, chown, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SessionFileError } from "../../src/errors/errors.js";
import { SessionFile } from "../../src/session/session-file.js";
import { emptyShellState, type SessionRecord } from "../../src/session/session-record.js";
import { asSandboxPath } from "../../src/workdir/paths.js";
import { temporaryFolder } from "./temporary-folder.js";

const everyByte = Array.from({ length: 255 }, (_, index) => String.fromCharCode(index + 1)).join("");

function record(more: Partial<SessionRecord> = {}): SessionRecord {
  return {
    backend: "local",
    sandboxId: "host-1",
    generation: 1,
    cwd: asSandboxPath("/srv"),
    state: emptyShellState,
    ...more,
  };
}

function withEnv(
  env: Readonly<Record<string, string | null>>,
  more: Partial<SessionRecord> = {},
): SessionRecord {
  return record({ state: { ...emptyShellState, env }, ...more });
}

function fileIn(talariaHome: string, isForbidden: (name: string) => boolean = () => false): SessionFile {
  const filter = { isForbidden, holdsSecret: (text: string) => text.includes("known-secret") };
  return new SessionFile({ talariaHome, name: "work", filter, lockDeadlineMs: 2000 });
}

describe("a session file", () => {
  it("gives back exactly what was written, every byte of a value included", async () => {
    const file = fileIn(await temporaryFolder());
    const full = record({
      cwd: asSandboxPath(`/srv/é \u{1F600}\n\udcff`),
      state: {
        env: { BYTES: everyByte, GONE: null, __proto__x: "1" },
        functions: { "my-function": { body: `my-function () \n{ \n echo ${everyByte}\n}`, exported: true } },
        aliases: { ll: "ls -l", é: "x" },
        shopt: { extglob: true },
        options: { pipefail: true, braceexpand: false },
        umask: "0077",
      },
    });
    await file.save(null, full);
    expect(await file.read()).toEqual(full);
  });

  it("keeps what several wrote that all began the session and found nothing", async () => {
    const home = await temporaryFolder();
    await Promise.all(["A", "B", "C"].map((name) => fileIn(home).save(null, withEnv({ [name]: "1" }))));
    expect((await fileIn(home).read())?.state.env).toEqual({ A: "1", B: "1", C: "1" });
  });

  it("that is a named pipe is refused, and not waited for", async () => {
    const home = await temporaryFolder();
    await mkdir(join(home, "sessions"), { mode: 0o700 });
    execFileSync("mkfifo", [join(home, "sessions", "work.json")]);
    await expect(fileIn(home).read()).rejects.toThrow(/not a regular file/);
    await expect(fileIn(home).save(null, record())).rejects.toThrow(/not a regular file/);
  });

  it("is not there before it was saved", async () => {
    expect(await fileIn(await temporaryFolder()).read()).toBeNull();
  });

  it("is private, in a private folder, whatever the umask", async () => {
    const home = await temporaryFolder();
    await mkdir(join(home, "sessions"), { mode: 0o755 });
    const file = fileIn(home);
    await file.save(null, record());
    expect((await stat(file.path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(home, "sessions"))).mode & 0o777).toBe(0o700);
    expect(await readdir(join(home, "sessions"))).toEqual(["work.json"]);
  });

  it("never holds a forbidden name, whether set or unset", async () => {
    const file = fileIn(await temporaryFolder(), (name) => name.startsWith("SECRET"));
    await file.save(null, withEnv({ SECRET_A: "hunter2", SECRET_B: null, PLAIN: "x" }));
    const text = await readFile(file.path, "utf8");
    expect(text).not.toMatch(/SECRET|hunter2/);
    expect((await file.read())?.state.env).toEqual({ PLAIN: "x" });
  });

  it("never holds a known secret, in a variable of an innocent name, a function or an alias", async () => {
    const file = fileIn(await temporaryFolder());
    const record = withEnv({ INNOCENT: "my known-secret", PLAIN: "x" });
    await file.save(null, {
      ...record,
      state: {
        ...record.state,
        functions: {
          deploy: { body: "() { curl -u me:known-secret; }", exported: false },
          hello: { body: "() { echo hello; }", exported: true },
        },
        aliases: { d: "deploy known-secret", l: "ls" },
      },
    });
    expect(await readFile(file.path, "utf8")).not.toMatch(/known-secret|INNOCENT/);
    expect((await file.read())?.state).toMatchObject({
      env: { PLAIN: "x" },
      functions: { hello: { body: "() { echo hello; }", exported: true } },
      aliases: { l: "ls" },
    });
  });

  it("keeps what another process wrote in the meantime, and for one name what was written last", async () => {
    const home = await temporaryFolder();
    const base = withEnv({ KEPT: "0", MINE: "0", THEIRS: "0", DROPPED: "0" });
    await fileIn(home).save(null, base);
    const theirs = withEnv(
      { KEPT: "0", MINE: "9", THEIRS: "2", DROPPED: "0", NEW: "2" },
      { cwd: asSandboxPath("/tmp") },
    );
    await fileIn(home).save(base, theirs);
    await fileIn(home).save(base, withEnv({ KEPT: "0", MINE: "1", THEIRS: "0" }));
    expect(await fileIn(home).read()).toEqual(
      withEnv({ KEPT: "0", MINE: "1", THEIRS: "2", NEW: "2" }, { cwd: asSandboxPath("/tmp") }),
    );
  });

  it("loses nothing when many write at once", async () => {
    const home = await temporaryFolder();
    const base = withEnv({});
    await fileIn(home).save(null, base);
    const names = Array.from({ length: 20 }, (_, index) => `V${index}`);
    await Promise.all(names.map((name) => fileIn(home).save(base, withEnv({ [name]: "1" }))));
    expect(Object.keys((await fileIn(home).read())?.state.env ?? {}).sort()).toEqual([...names].sort());
  });

  it("about another sandbox is replaced, not merged", async () => {
    const home = await temporaryFolder();
    await fileIn(home).save(null, withEnv({ OLD: "1" }));
    const other = withEnv({ NEW: "1" }, { backend: "docker", sandboxId: "c1" });
    await fileIn(home).save(null, other);
    expect(await fileIn(home).read()).toEqual(other);
  });
});

describe("a session file that cannot be used", () => {
  const good = JSON.stringify({
    schema: 1,
    backend: "local",
    sandbox: { id: "x", generation: 1 },
    cwd: null,
    state: emptyShellState,
  });

  function changed(member: string, value: unknown): string {
    return JSON.stringify({ ...(JSON.parse(good) as object), [member]: value });
  }

  async function write(text: string, mode = 0o600): Promise<SessionFile> {
    const file = fileIn(await temporaryFolder());
    await mkdir(join(file.path, ".."), { mode: 0o700 });
    await writeFile(file.path, text);
    await chmod(file.path, mode);
    return file;
  }

  it.each([
    ["from the future", changed("schema", 2), /newer Talaria \(schema 2\)/],
    ["that is no JSON", "{", /not JSON/],
    ["that is empty", "", /not JSON/],
    ["that is a list", "[]", /not a JSON object/],
    ["without a version", changed("schema", undefined), /"schema"/],
    ["without a backend", changed("backend", 1), /"backend"/],
    ["without a sandbox", changed("sandbox", null), /"sandbox"/],
    ["with a relative cwd", changed("cwd", "src"), /"cwd"/],
    ["without a state", changed("state", undefined), /"state"/],
    [
      "with a name no shell has",
      changed("state", { ...emptyShellState, env: { "A;B": "" } }),
      /state\.env\.A;B/,
    ],
    [
      "with a value that is no bytes",
      changed("state", { ...emptyShellState, env: { A: "\u0100" } }),
      /state\.env\.A/,
    ],
    [
      "with a NUL in a value",
      changed("state", { ...emptyShellState, aliases: { a: "\0" } }),
      /state\.aliases\.a/,
    ],
    [
      "with an option that is shell text",
      changed("state", { ...emptyShellState, shopt: { "a; b": true } }),
      /shopt/,
    ],
    ["with a wrong umask", changed("state", { ...emptyShellState, umask: "0o22; x" }), /state\.umask/],
  ])("%s is refused with the way out and left as it is", async (_what, text, message) => {
    const file = await write(text);
    const reading = file.read();
    await expect(reading).rejects.toThrow(SessionFileError);
    await expect(reading).rejects.toThrow(message);
    await expect(reading).rejects.toMatchObject({
      hint: expect.stringContaining("move the file away") as string,
    });
    await expect(file.save(null, record())).rejects.toThrow(message);
    expect(await readFile(file.path, "utf8")).toBe(text);
    expect(await readdir(join(file.path, ".."))).toEqual(["work.json"]);
  });

  it.each([
    ["its group", 0o660],
    ["everybody", 0o602],
  ])("because %s may write it is refused, with the command that mends it", async (_who, mode) => {
    const file = await write(good, mode);
    await expect(file.read()).rejects.toMatchObject({
      name: "SessionFileError",
      hint: expect.stringContaining(`chmod 600 ${file.path}`) as string,
    });
    expect((await stat(file.path)).mode & 0o777).toBe(mode);
  });

  it("because its folder can be written by others is not written", async () => {
    const file = await write(good);
    await chmod(join(file.path, ".."), 0o777);
    await expect(file.save(null, record())).rejects.toThrow(/other accounts may write/);
    expect(await readFile(file.path, "utf8")).toBe(good);
  });

  it.runIf(process.getuid?.() === 0)("belonging to another account is refused", async () => {
    const file = await write(good);
    await chown(file.path, 12_345, 12_345);
    await expect(file.read()).rejects.toThrow(/another account \(uid 12345/);
  });

  it("being a link is refused, and what it points to is left alone", async () => {
    const home = await temporaryFolder();
    const target = join(home, "target");
    await writeFile(target, good, { mode: 0o600 });
    const file = fileIn(home);
    await mkdir(join(home, "sessions"), { mode: 0o700 });
    await symlink(target, file.path);
    await expect(file.read()).rejects.toThrow(/symbolic link/);
    await expect(file.save(null, record())).rejects.toThrow(/symbolic link/);
    expect(await readFile(target, "utf8")).toBe(good);
  });

  it("being a folder is refused", async () => {
    const file = fileIn(await temporaryFolder());
    await mkdir(file.path, { recursive: true, mode: 0o700 });
    await expect(file.read()).rejects.toThrow(/not a regular file/);
  });
});

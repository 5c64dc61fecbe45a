import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { SessionFileError } from "../../src/errors/errors.js";
import { pluginOrigin } from "../../src/registry/plugin-origin.js";
import { ProviderRegistry } from "../../src/registry/provider-registry.js";
import { openSession } from "../../src/session/open-session.js";
import type { TerminalSession } from "../../src/session/terminal-session.js";
import { FakeEnvironment } from "./fake-environment.js";
import { FakeProvider } from "./fake-provider.js";
import { temporaryFolder } from "./temporary-folder.js";

let talariaHome: string;

beforeEach(async () => {
  talariaHome = await temporaryFolder();
});

/** As a new process would find the sandbox: another object, the same identity. */
function sandbox(options: { backend?: string; id?: string } = {}): FakeEnvironment {
  const environment = new FakeEnvironment(options);
  environment.commands.set("cd /srv", { cd: "/srv" });
  environment.commands.set("cd /tmp", { cd: "/tmp" });
  environment.commands.set("export A=1", { env: { A: "1" } });
  environment.commands.set("export B=2", { env: { B: "2" } });
  environment.commands.set("export MY_TOKEN=x MODAL_TOKEN_ID=y", {
    env: { MY_TOKEN: "x", MODAL_TOKEN_ID: "y" },
  });
  return environment;
}

function open(environment: FakeEnvironment, more: object = {}): Promise<TerminalSession> {
  return openSession({ backend: new FakeProvider({ environment }), session: "work", talariaHome, ...more });
}

async function run(environment: FakeEnvironment, ...commands: string[]): Promise<void> {
  const session = await open(environment);
  for (const command of commands) await session.execute(command);
  await session.close();
}

const path = (): string => join(talariaHome, "sessions", "work.json");

describe("a named session", () => {
  it("continues in the next process where it stood, with what its shell knew", async () => {
    await run(sandbox(), "cd /srv", "export A=1");
    const next = sandbox();
    const session = await open(next);
    expect(session.cwd).toBe("/srv");
    const { notes } = await session.execute("true");
    expect(next.executed[0]?.cwd).toBe("/srv");
    expect(next.states.get(session.id)?.env).toEqual({ A: "1" });
    expect(notes).toEqual([]);
  });

  it("is kept after each command, not only at the end", async () => {
    const session = await open(sandbox());
    await session.execute("cd /srv");
    expect(JSON.parse(await readFile(path(), "utf8"))).toMatchObject({ schema: 1, cwd: "/srv" });
  });

  it("writes nothing when nothing changed", async () => {
    await run(sandbox(), "cd /srv");
    const before = await stat(path());
    await run(sandbox(), "true", "true");
    expect((await stat(path())).ino).toBe(before.ino);
  });

  it("lays the variables of openSession over what was kept", async () => {
    await run(sandbox(), "export A=1");
    const next = sandbox();
    const session = await open(next, { env: { A: "9", C: "3" } });
    await session.execute("true");
    expect(next.states.get(session.id)?.env).toEqual({ A: "9", C: "3" });
  });

  it("never writes a credential of a backend or a name that looks secret (3.11)", async () => {
    await run(sandbox(), "export A=1", "export MY_TOKEN=x MODAL_TOKEN_ID=y");
    expect(await readFile(path(), "utf8")).not.toContain("TOKEN");
    expect(JSON.parse(await readFile(path(), "utf8"))).toMatchObject({ state: { env: { A: "1" } } });
  });

  it("merges what two processes changed at the same time (3.10)", async () => {
    await run(sandbox(), "true");
    const [first, second] = [await open(sandbox()), await open(sandbox())];
    await first.execute("cd /srv");
    await second.execute("export B=2");
    await first.execute("export A=1");
    await Promise.all([first.close(), second.close()]);
    const next = sandbox();
    const session = await open(next);
    await session.execute("true");
    expect(next.executed[0]?.cwd).toBe("/srv");
    expect(next.states.get(session.id)?.env).toEqual({ A: "1", B: "2" });
  });

  it.each([
    ["another backend", { backend: "other" }, /backend "fake".*\/srv/],
    ["another sandbox of the backend", { id: "sandbox-2" }, /another sandbox of "fake".*\/srv/],
  ])(
    "drops its cwd and variables on %s, with a note that names them (2.10)",
    async (_what, options, note) => {
      await run(sandbox(), "cd /srv", "export A=1");
      const next = sandbox(options);
      const session = await open(next);
      expect(session.cwd).toBeNull();
      const first = await session.execute("true");
      expect(first.notes.join()).toMatch(note);
      expect(next.executed[0]?.cwd).toBe("/root");
      expect(next.states.get(session.id)).toBeUndefined();
      expect((await session.execute("true")).notes).toEqual([]);
    },
  );

  it("keeps the note about what was dropped for the first command that gets anywhere", async () => {
    await run(sandbox(), "cd /srv");
    const session = await open(sandbox({ id: "sandbox-2" }));
    await expect(session.execute("true", { workdir: "/nowhere" })).rejects.toThrow("/nowhere");
    await expect(session.execute("true", { workdir: "~other/x" })).rejects.toThrow("~other/x");
    expect((await session.execute("true")).notes.join()).toContain("/srv");
  });

  it("stays on its backend when none is asked for, whatever the configuration says", async () => {
    const registry = new ProviderRegistry();
    const environment = sandbox({ backend: "boxes" });
    registry.register(new FakeProvider({ environment }), pluginOrigin({ id: "talaria-boxes" }));
    await (
      await openSession({ backend: "boxes", session: "work", talariaHome, registry })
    ).execute("cd /srv");
    const session = await openSession({ session: "work", talariaHome, registry });
    expect(session.backend).toBe("boxes");
    expect(session.cwd).toBe("/srv");
  });

  it("with a file that cannot be used is not opened, and no environment is made", async () => {
    await run(sandbox(), "cd /srv");
    await writeFile(path(), "{");
    const environment = sandbox();
    const provider = new FakeProvider({ environment });
    const opening = openSession({ backend: provider, session: "work", talariaHome });
    await expect(opening).rejects.toThrow(SessionFileError);
    expect(provider.created).toEqual([]);
    expect(await readFile(path(), "utf8")).toBe("{");
  });

  it("whose file becomes unusable still gives the command's result, says so, and fails at the end", async () => {
    const environment = sandbox();
    const warnings: string[] = [];
    const session = await open(environment, { onWarning: (text: string) => warnings.push(text) });
    await session.execute("cd /srv");
    await chmod(path(), 0o666);
    const result = await session.execute("cd /tmp");
    expect(result).toMatchObject({ exitCode: 0, cwd: "/tmp" });
    expect(result.notes.join()).toContain("other accounts may write");
    expect(warnings).toHaveLength(1);
    await expect(session.close()).rejects.toThrow(SessionFileError);
    expect(environment.cleanups).toBe(1);
  });
});

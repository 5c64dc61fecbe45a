import { readFileSync } from "node:fs";
import { chmod, mkdir, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loginEnvironment, type LoginEnvironmentOptions } from "../src/login/login-environment.js";
import { loginCommand, loginShellOf } from "../src/login/login-shell.js";
import { temporaryFolder } from "./local-bed.js";

interface Home {
  readonly path: string;
  readonly cacheFile: string;
  write(name: string, text: string): Promise<void>;
  read(options?: Partial<LoginEnvironmentOptions>): ReturnType<typeof loginEnvironment>;
}

/** A home directory of its own, with a Talaria home in it. */
async function makeHome(): Promise<Home> {
  const path = await temporaryFolder();
  const talariaHome = join(path, ".talaria");
  return {
    path,
    cacheFile: join(talariaHome, "cache", "login-env.json"),
    write: (name, text) => writeFile(join(path, name), text),
    read: (options) =>
      loginEnvironment({
        shell: { path: "/bin/bash", kind: "bash" },
        base: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: path, USER: "somebody" },
        stripEnvKeys: [],
        talariaHome,
        ...options,
      }),
  };
}

describe("the login environment", () => {
  test("has what the login files and an interactive ~/.bashrc set", async () => {
    const home = await makeHome();
    await home.write(".profile", "export FROM_PROFILE=1\nPATH=$HOME/bin:$PATH\n");
    // The line by which Debian's own returns early.
    await home.write(
      ".bashrc",
      "case $- in *i*) ;; *) return;; esac\nexport FROM_BASHRC=2\nPATH=$HOME/nvm:$PATH\n",
    );
    const { env, source, note } = await home.read();
    expect(env).toMatchObject({ FROM_PROFILE: "1", FROM_BASHRC: "2" });
    expect(env["PATH"]).toMatch(new RegExp(`^${home.path}/nvm:${home.path}/bin:`));
    expect(source).toBe("shell");
    expect(note).toBeUndefined();
  });

  test("has values with newlines, quotes and equals signs unchanged", async () => {
    const home = await makeHome();
    await home.write(".bashrc", `export ODD=$'a\\nb="c" ü\\n'`);
    expect((await home.read()).env["ODD"]).toBe('a\nb="c" ü\n');
  });

  test("is not disturbed by what start-up files print", async () => {
    const home = await makeHome();
    await home.write(".profile", "echo Welcome; env -0; printf 'FAKE=1\\0'; head -c 200000 /dev/urandom\n");
    await home.write(".bashrc", "echo more noise; echo errors >&2; export REAL=1\n");
    const { env } = await home.read();
    expect(env["REAL"]).toBe("1");
    expect(env).not.toHaveProperty("FAKE");
  });

  test("is not held up by a daemon that a start-up file leaves behind", async () => {
    const home = await makeHome();
    await home.write(".profile", "sleep 4 & export AGENT=1\n");
    const begin = performance.now();
    expect((await home.read()).env["AGENT"]).toBe("1");
    expect(performance.now() - begin).toBeLessThan(3_000);
  });

  test("is not asked for anything: a question gets the end of its input", async () => {
    const home = await makeHome();
    await home.write(".profile", "read -r answer; export ANSWERED=$?\n");
    expect((await home.read()).env["ANSWERED"]).toBe("1");
  });

  test("leaves out what looks like a secret and what belongs to the capturing shell", async () => {
    const home = await makeHome();
    await home.write(".profile", "export MY_API_KEY=k GITHUB_TOKEN=t PLAIN=p CUSTOM=c TERM=xterm\n");
    const { env } = await home.read({ stripEnvKeys: ["CUSTOM"] });
    expect(env).toEqual(expect.objectContaining({ PLAIN: "p" }));
    for (const name of [
      "MY_API_KEY",
      "GITHUB_TOKEN",
      "CUSTOM",
      "TERM",
      "_",
      "SHLVL",
      "PWD",
      "TALARIA_LOGIN_ENV",
    ]) {
      expect(env).not.toHaveProperty(name);
    }
    expect(readFileSync(home.cacheFile, "utf8")).not.toMatch(/MY_API_KEY|GITHUB_TOKEN|CUSTOM/);
  });

  test("can be told by start-up files from a person's shell", async () => {
    const home = await makeHome();
    await home.write(".profile", "export SEEN=$TALARIA_LOGIN_ENV\n");
    expect((await home.read()).env["SEEN"]).toBe("1");
  });

  test("falls back to the login files alone when ~/.bashrc cannot bear to be interactive", async () => {
    const home = await makeHome();
    await home.write(".profile", "export FROM_PROFILE=1\n");
    await home.write(".bashrc", "exec false\n");
    expect((await home.read()).env["FROM_PROFILE"]).toBe("1");
  });
});

describe("start-up files that cannot be run", () => {
  test("that hang are ended with their children, and a note says so", async () => {
    const home = await makeHome();
    await home.write(".profile", `trap '' TERM; sleep 300 & echo $! >"$HOME/pid"; wait; wait\n`);
    const begin = performance.now();
    const { env, note } = await home.read({ deadlineMs: 400 });
    expect(performance.now() - begin).toBeLessThan(3_000);
    expect(env).toEqual({});
    expect(note).toContain("took longer than 0.4 s");
    expect(note).toContain("terminal.backends.local.login_env");
    const child = Number(readFileSync(join(home.path, "pid"), "utf8"));
    await expect.poll(() => stateOf(child)).toMatch(/^(gone|Z)$/);
  });

  test("that hang can take away what they hold before they are ended", async () => {
    const home = await makeHome();
    // As pyenv does: a lock left behind would make every new shell of the user wait for it.
    await home.write("init", "trap 'rm -f $HOME/lock' EXIT\n: > $HOME/lock\nwhile :; do sleep 0.1; done\n");
    await home.write(".profile", "bash $HOME/init\n");
    const { note } = await home.read({ deadlineMs: 400 });
    expect(note).toContain("took longer than 0.4 s");
    expect(await readdir(home.path)).not.toContain("lock");
  });

  test("that hang are not waited for again while they are unchanged", async () => {
    const home = await makeHome();
    await home.write(".profile", "sleep 300\n");
    await home.read({ deadlineMs: 300 });
    const begin = performance.now();
    const { source, note } = await home.read({ deadlineMs: 5_000 });
    expect(performance.now() - begin).toBeLessThan(200);
    expect(source).toBe("cache");
    expect(note).toContain("took longer");
  });

  test("because there is no home are no failure", async () => {
    const home = await makeHome();
    const { note } = await home.read({ base: { PATH: "/usr/bin:/bin", HOME: "/no/such/home" } });
    expect(note).toBeUndefined();
  });

  test("that end the shell leave the plain environment and a note", async () => {
    const home = await makeHome();
    await home.write(".profile", "exit 3\n");
    const { env, note } = await home.read();
    expect(env).toEqual({});
    expect(note).toContain("ended within its start-up files");
  });

  test("because the shell does not exist leave the plain environment and a note", async () => {
    const home = await makeHome();
    const { env, note } = await home.read({ shell: { path: "/no/such/zsh", kind: "zsh" } });
    expect(env).toEqual({});
    expect(note).toContain("/no/such/zsh could not be started");
  });

  test("are ended when the caller no longer waits", async () => {
    const home = await makeHome();
    await home.write(".profile", "sleep 300\n");
    const reason = new Error("enough");
    const controller = new AbortController();
    const reading = home.read({ signal: controller.signal });
    controller.abort(reason);
    await expect(reading).rejects.toBe(reason);
  });
});

describe("the cache of the login environment", () => {
  test("answers without a process while nothing has changed", async () => {
    const home = await makeHome();
    await home.write(".profile", `echo x >>"$HOME/runs"; export A=1\n`);
    const first = await home.read();
    const begin = performance.now();
    const second = await home.read();
    expect(performance.now() - begin).toBeLessThan(50);
    expect(second).toEqual({ env: first.env, source: "cache" });
    expect(readFileSync(join(home.path, "runs"), "utf8")).toBe("x\n");
  });

  test("is private, and nothing else is left beside it", async () => {
    const home = await makeHome();
    await home.read();
    expect((await stat(home.cacheFile)).mode & 0o777).toBe(0o600);
    expect((await stat(join(home.cacheFile, ".."))).mode & 0o777).toBe(0o700);
    expect(await readdir(join(home.cacheFile, ".."))).toEqual(["login-env.json"]);
  });

  test.each([".profile", ".bashrc", ".bash_profile"])(
    "is renewed when %s changes or appears",
    async (name) => {
      const home = await makeHome();
      await home.write(".profile", "export A=1\n");
      await home.read();
      await home.write(name, "export A=22\n");
      expect(await home.read()).toMatchObject({ env: { A: "22" }, source: "shell" });
    },
  );

  test("keeps an entry for each PATH it was asked with", async () => {
    const home = await makeHome();
    await home.write(".profile", "export A=1\n");
    const other = { base: { PATH: "/bin", HOME: home.path } };
    await home.read();
    expect((await home.read(other)).source).toBe("shell");
    expect((await home.read()).source).toBe("cache");
    expect((await home.read(other)).source).toBe("cache");
  });

  test("gives no key of a backend that was installed since", async () => {
    const home = await makeHome();
    await home.write(".profile", "export VENDOR_NAME=v OTHER=o\n");
    await home.read();
    const { env, source } = await home.read({ stripEnvKeys: ["VENDOR_NAME"] });
    expect(source).toBe("cache");
    expect(env).toMatchObject({ OTHER: "o" });
    expect(env).not.toHaveProperty("VENDOR_NAME");
  });

  test.each([
    ["torn", '{"version":1,"entries":[{"key":'],
    ["empty", ""],
    ["of a later version", '{"version":99,"entries":[]}'],
    ["of another shape", '{"version":1,"entries":{"a":1}}'],
  ])("that is %s is ignored and written anew", async (_name, content) => {
    const home = await makeHome();
    await home.write(".profile", "export A=1\n");
    await home.read();
    await writeFile(home.cacheFile, content);
    expect(await home.read()).toMatchObject({ env: { A: "1" }, source: "shell" });
    expect((await home.read()).source).toBe("cache");
  });

  test("that others could have written is ignored and replaced", async () => {
    const home = await makeHome();
    await home.write(".profile", "export A=1\n");
    await home.read();
    await writeFile(home.cacheFile, readFileSync(home.cacheFile, "utf8").replace('"A":"1"', '"A":"evil"'));
    await chmod(home.cacheFile, 0o666);
    expect(await home.read()).toMatchObject({ env: { A: "1" }, source: "shell" });
    expect((await stat(home.cacheFile)).mode & 0o777).toBe(0o600);
  });

  test("is not read through a link", async () => {
    const home = await makeHome();
    await home.write(".profile", "export A=1\n");
    await home.read();
    const elsewhere = join(home.path, "elsewhere.json");
    await writeFile(elsewhere, readFileSync(home.cacheFile), { mode: 0o600 });
    await rm(home.cacheFile);
    await symlink(elsewhere, home.cacheFile);
    expect((await home.read()).source).toBe("shell");
  });

  test("that cannot be written costs time only", async () => {
    const home = await makeHome();
    await home.write(".profile", "export A=1\n");
    await mkdir(join(home.path, ".talaria"));
    await writeFile(join(home.path, ".talaria", "cache"), "a file where the folder belongs");
    expect(await home.read()).toMatchObject({ env: { A: "1" }, source: "shell" });
  });

  test("is not used without a Talaria home", async () => {
    const home = await makeHome();
    await home.read({ talariaHome: undefined });
    expect((await home.read({ talariaHome: undefined })).source).toBe("shell");
  });
});

describe("the login shell", () => {
  test.each([
    ["/bin/bash", { path: "/bin/bash", kind: "bash" }],
    ["/opt/homebrew/bin/bash", { path: "/opt/homebrew/bin/bash", kind: "bash" }],
    ["/usr/bin/zsh", { path: "/usr/bin/zsh", kind: "zsh" }],
    ["/usr/bin/fish", { path: "/the/bash", kind: "bash" }],
    ["zsh", { path: "/the/bash", kind: "bash" }],
    [undefined, { path: "/the/bash", kind: "bash" }],
  ])("of a user with %s", (userShell, expected) => {
    expect(loginShellOf(userShell, "/the/bash")).toEqual(expected);
  });

  test("of zsh reads all its files in one go", () => {
    expect(loginCommand({ path: "/bin/zsh", kind: "zsh" }, "terminal", "x")).toEqual([
      "/bin/zsh",
      "-l",
      "-i",
      "-c",
      "x",
    ]);
  });
});

/** The state letter of a process, or `gone`. */
function stateOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.charAt(0) ?? "gone";
  } catch {
    return "gone";
  }
}

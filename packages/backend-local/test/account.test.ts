import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { accountInPasswd, findAccount, parseAccount } from "../src/account/account.js";
import { findSetpriv } from "../src/account/switch-account.js";
import { LocalProvider } from "../src/index.js";
import { finish, openEnvironment, runBash, temporaryFolder } from "./local-bed.js";

const canSwitch = findSetpriv() !== undefined;
const nobody = accountInPasswd("nobody");

afterAll(() => {
  // CI runs as root: there, nothing may be skipped.
  if (!canSwitch) console.warn("SKIPPED: commands as another account. They need root and setpriv.");
});

describe.runIf(canSwitch)("a process as another account", () => {
  test("has its ids, its groups and its variables", async () => {
    const { stdout } = await runBash(
      openEnvironment({ base: { HOME: "/root", USER: "root", XDG_RUNTIME_DIR: "/run/user/0" } }),
      'id -un; id -gn; echo "$HOME $USER $LOGNAME $SHELL [$XDG_RUNTIME_DIR]"',
      { user: "nobody", cwd: "/" },
    );
    expect(stdout).toBe(`nobody\nnogroup\n${nobody?.home} nobody nobody ${nobody?.shell} []\n`);
  });

  test("is not given what the login shell of the first account set", async () => {
    const environment = openEnvironment({ login: { NVM_DIR: "/root/.nvm" }, passed: { PASSED: "1" } });
    const { stdout } = await runBash(environment, 'echo "[$NVM_DIR] [$PASSED]"', {
      user: "nobody",
      cwd: "/",
    });
    expect(stdout).toBe("[] [1]\n");
  });

  test("can be named by its uid", async () => {
    const { stdout } = await runBash(openEnvironment(), "id -un", { user: String(nobody?.uid), cwd: "/" });
    expect(stdout).toBe("nobody\n");
  });

  test("is the process itself: its exit, its signals and its kill are exact", async () => {
    const environment = openEnvironment();
    const options = { user: "nobody", cwd: "/" };
    expect((await runBash(environment, "exit 9", options)).exit).toEqual({ kind: "exited", code: 9 });
    const process_ = await environment.spawn(["sleep", "60"], options);
    await process_.kill("SIGKILL");
    expect(await process_.exit).toMatchObject({ kind: "signaled", signal: "SIGKILL" });
  });

  test("can have a terminal", async () => {
    const process_ = await openEnvironment().spawn(["bash", "-c", "id -un; test -t 0; echo $?"], {
      user: "nobody",
      cwd: "/",
      tty: { columns: 80, rows: 24 },
    });
    expect((await finish(process_)).stdout).toBe("nobody\r\n0\r\n");
  });

  test("starts elsewhere when it cannot enter the environment's own directory", async () => {
    const folder = await temporaryFolder();
    await chmod(folder, 0o700);
    const { stdout } = await runBash(openEnvironment({ directory: folder }), "pwd", { user: "nobody" });
    expect(stdout).not.toContain(folder);
    expect(stdout).toMatch(/^\/.*\n$/);
  });

  test("is refused in a directory that was asked for and that it cannot enter", async () => {
    const folder = await temporaryFolder();
    await chmod(folder, 0o700);
    await expect(openEnvironment().spawn(["true"], { user: "nobody", cwd: folder })).rejects.toMatchObject({
      code: "workdir",
      workdir: folder,
    });
  });

  test.each([
    ["missing", "no-such-program-here", "ENOENT"],
    ["not executable by it", "PRIVATE", "EACCES"],
  ])("is refused for a program that is %s", async (_name, program, reason) => {
    const folder = await temporaryFolder();
    await chmod(folder, 0o755);
    await mkdir(join(folder, "bin"));
    await writeFile(join(folder, "bin", "private"), "#!/bin/sh\n", { mode: 0o700 });
    const path = program === "PRIVATE" ? join(folder, "bin", "private") : program;
    await expect(openEnvironment().spawn([path], { user: "nobody", cwd: "/" })).rejects.toMatchObject({
      code: "spawn",
      reason,
    });
  });

  test("is no other account when it is the one Talaria runs as", async () => {
    const { stdout } = await runBash(openEnvironment({ base: { MARK: "own" } }), 'id -un; echo "$MARK"', {
      user: "root",
    });
    expect(stdout).toBe("root\nown\n");
  });

  test("is declared as a capability", () => {
    expect(new LocalProvider().capabilities).toContain("user");
  });

  test("has an exec prefix that runs what is appended to it as that account", async () => {
    const environment = openEnvironment();
    const prefix = environment.execPrefix({ user: "nobody" }) ?? [];
    const { stdout } = await finish(await environment.spawn([...prefix, "bash", "-c", "id -un; echo $USER"]));
    expect(stdout).toBe("nobody\nnobody\n");
  });
});

describe("an account", () => {
  test("that does not exist is an error that names it", async () => {
    await expect(openEnvironment().spawn(["true"], { user: "no-such-account" })).rejects.toMatchObject({
      code: "invalid_argument",
      argument: "user",
      message: 'there is no account "no-such-account" on this host',
    });
  });

  test.each(["-s", "a:b", "", "a\0b"])("cannot be called %j", async (name) => {
    await expect(findAccount(name)).rejects.toMatchObject({ code: "invalid_argument" });
  });

  test("is read from a line of passwd(5)", () => {
    expect(parseAccount("ada:x:1000:1001:Ada,,,:/home/ada:/bin/zsh")).toEqual({
      name: "ada",
      uid: 1000,
      gid: 1001,
      home: "/home/ada",
      shell: "/bin/zsh",
    });
    expect(parseAccount("svc:x:9:9::/srv:")?.shell).toBe("/bin/sh");
    expect(parseAccount("+@nis::::::")).toBeUndefined();
    expect(parseAccount("")).toBeUndefined();
  });
});

describe("the exec prefix", () => {
  test("runs what is appended to it, word for word", async () => {
    const environment = openEnvironment();
    const prefix = environment.execPrefix() ?? [];
    const { stdout } = await finish(
      await environment.spawn([...prefix, "bash", "-c", 'echo "$0 $1"', "a b", "c"]),
    );
    expect(prefix.length).toBeGreaterThan(0);
    expect(stdout).toBe("a b c\n");
  });
});

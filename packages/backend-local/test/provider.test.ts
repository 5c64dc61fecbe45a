import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openSession, readProviderFlags, type TerminalSession } from "@talaria/core";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { local, LocalProvider, register, type LocalOptions } from "../src/index.js";
import { temporaryFolder } from "./local-bed.js";

async function open(options: LocalOptions = {}, home?: string): Promise<TerminalSession> {
  const talariaHome = home ?? (await temporaryFolder());
  const session = await openSession({ backend: local(options), talariaHome });
  onTestFinished(async () => {
    await session.close();
  });
  return session;
}

describe("a session on this host", () => {
  test("runs commands, remembers where they went and what they exported", async () => {
    const session = await open({ loginEnv: false });
    await session.execute("cd /tmp && export A=1; f() { echo from f; }; false");
    const result = await session.execute("pwd; echo $A; f; exit 5");
    expect(result.output).toBe("/tmp\n1\nfrom f\n");
    expect(result).toMatchObject({ exitCode: 5, outcome: { kind: "exited", code: 5 } });
  });

  test("starts in the process's own directory, else where it was told", async () => {
    expect((await (await open({ loginEnv: false })).execute("pwd")).output).toBe(`${process.cwd()}\n`);
    expect((await (await open({ loginEnv: false, cwd: "/usr" })).execute("pwd")).output).toBe("/usr\n");
  });

  test("refuses a directory that is not there when it is opened", async () => {
    await expect(open({ cwd: "/no/such/folder" })).rejects.toMatchObject({ code: "workdir" });
  });

  test("takes over the login shell's PATH and leaves its secrets", async () => {
    const home = await temporaryFolder();
    await writeFile(join(home, ".bashrc"), 'export PATH="$HOME/tools:$PATH" NPM_TOKEN=secret\n');
    vi.stubEnv("HOME", home);
    vi.stubEnv("SHELL", "/bin/bash");
    const { output } = await (await open({}, home)).execute('echo "$PATH"; echo "[$NPM_TOKEN]"');
    expect(output).toMatch(new RegExp(`^${home}/tools:`));
    expect(output).toContain("[]");
  });

  test("says once that the login environment could not be read, and works", async () => {
    const home = await temporaryFolder();
    await writeFile(join(home, ".bash_profile"), "exit 1\n");
    vi.stubEnv("HOME", home);
    vi.stubEnv("SHELL", "/bin/bash");
    const session = await open({}, home);
    const first = await session.execute("echo works");
    const second = await session.execute("true");
    expect(first.output).toBe("works\n");
    expect(first.notes.join()).toContain("login environment could not be read");
    expect(second.notes).toEqual([]);
  });

  test("gets nothing of this process's environment but the allowlist and what is passed on", async () => {
    vi.stubEnv("PRIVATE_THING", "1");
    vi.stubEnv("WANTED_THING", "2");
    vi.stubEnv("DAYTONA_API_KEY", "3");
    const session = await open({
      loginEnv: false,
      passEnv: ["WANTED_THING", "DAYTONA_API_KEY"],
      env: { SET: "4" },
    });
    const { output } = await session.execute(
      'echo "[$PRIVATE_THING] [$WANTED_THING] [$DAYTONA_API_KEY] [$SET]"',
    );
    expect(output).toBe("[] [2] [] [4]\n");
  });

  test("opens files by the names of its streams", async () => {
    const session = await open({ loginEnv: false });
    const result = await session.execute("echo one >/dev/stderr; echo two >/dev/stdout; cat /dev/stdin", {
      stdin: "three\n",
    });
    expect(result.output).toBe("one\ntwo\nthree\n");
  });

  test.runIf(process.geteuid?.() === 0)("runs a command as another account", async () => {
    const session = await open({ loginEnv: false });
    const result = await session.execute("id -un", { user: "nobody", workdir: "/tmp" });
    expect(result.output).toBe("nobody\n");
  });

  test("goes on in another session of the same name", async () => {
    const talariaHome = await temporaryFolder();
    const options = { backend: local({ loginEnv: false }), talariaHome, session: "work" };
    const first = await openSession(options);
    await first.execute("cd /usr; export A=kept");
    await first.close();
    const second = await openSession(options);
    const { output } = await second.execute("pwd; echo $A");
    await second.close();
    expect(output).toBe("/usr\nkept\n");
  });
});

describe("the provider", () => {
  test("declares a host without isolation", () => {
    expect(readProviderFlags(new LocalProvider())).toMatchObject({
      name: "local",
      isRemote: false,
      isContainer: false,
      skipContainerGuards: false,
      cachePathBase: null,
      supportsStreams: true,
    });
  });

  test("is what the plugin loader gets", () => {
    const registered: unknown[] = [];
    register({ registerTerminalEnvironmentProvider: (provider) => void registered.push(provider) });
    expect(registered).toEqual([expect.any(LocalProvider)]);
  });

  test("is ready here, and says so within its time", async () => {
    const begin = performance.now();
    expect(await local().probe()).toMatchObject({ status: "ready", reason: "ok" });
    expect(performance.now() - begin).toBeLessThan(2_000);
  });

  test("needs setup when the bash that was named is not there", async () => {
    const provider = local({ shell: "/no/such/bash" });
    expect(provider.isAvailable()).toBe(false);
    expect(await provider.probe()).toMatchObject({ status: "needs_setup", reason: "bash_missing" });
    await expect(provider.checkRequirements({})).rejects.toMatchObject({
      code: "spawn",
      message: expect.stringContaining("terminal.backends.local.shell") as string,
    });
  });

  test("has a row in doctor for each thing it depends on", async () => {
    const rows = await local().doctorChecks();
    expect(rows.map((row) => row.id)).toEqual(["bash", "login_env", "pty", "temp", "user"]);
    for (const row of rows.filter(({ status }) => status !== "ok"))
      expect(row.hint, row.id).toMatch(/^[A-Z].* .*\.$/);
  });

  test.each([
    ["login_env", "yes"],
    ["pass_env", "A,B"],
    ["shell", "bash"],
  ])("refuses %s of the wrong type by its key", async (field, value) => {
    const created = local().createEnvironment({ taskId: "t", backendConfig: { [field]: value } });
    await expect(created).rejects.toMatchObject({ code: "config", key: `terminal.backends.local.${field}` });
  });

  test("refuses Windows and says what to use there", async () => {
    vi.spyOn(process, "platform", "get").mockReturnValue("win32");
    const provider = local();
    expect(provider.isAvailable()).toBe(false);
    expect(await provider.probe()).toMatchObject({ status: "unavailable", reason: "windows" });
    await expect(provider.createEnvironment({ taskId: "t", backendConfig: {} })).rejects.toMatchObject({
      code: "unsupported",
      hint: expect.stringMatching(/WSL.*ssh.*docker/) as string,
    });
  });

  test("does not wait for a creation that is no longer wanted", async () => {
    const reason = new Error("enough");
    const options = { taskId: "t", backendConfig: {}, signal: AbortSignal.abort(reason) };
    await expect(local().createEnvironment(options)).rejects.toBe(reason);
  });
});

describe("importing the package", () => {
  test("loads no native part, and neither does making a provider or asking for its capabilities", async () => {
    vi.resetModules();
    const loaded = (): readonly string[] => {
      const report = process.report.getReport() as { sharedObjects: readonly string[] };
      return report.sharedObjects.filter((path) => path.endsWith("pty.node"));
    };
    const handles = process.getActiveResourcesInfo().length;
    const entry = await import("../src/index.js");
    expect(entry.local().capabilities).toContain("tty");
    expect(loaded()).toEqual([]);
    expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(handles);
  });
});

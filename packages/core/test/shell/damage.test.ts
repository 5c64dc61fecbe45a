import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { EnvironmentConnectionError } from "../../src/errors/errors.js";
import type { SandboxProcess, SpawnOptions } from "../../src/environment/sandbox-process.js";
import { hostRunner, Runner, seen, temporaryFolder } from "../support/host-shell.js";
import { HostEnvironment } from "./host-environment.js";

describe("a session whose shell is damaged", () => {
  it.each([
    ["the command's shell is killed", "kill -KILL $BASHPID", "signaled SIGKILL"],
    ["the channel's shell is killed", "kill -KILL $$; sleep 5", "signaled SIGKILL"],
    ["the channel's shell is ended by TERM", "kill -TERM $$; sleep 5", "signaled SIGTERM"],
    ["the channel's shell gets USR1", "kill -USR1 $$; exit 4", "signaled SIGUSR1"],
    ["both are killed at once", "kill -KILL $$ $BASHPID", "signaled SIGKILL"],
    ["the whole group is killed", "kill -KILL -$$", "signaled SIGKILL"],
    ["the whole group gets TERM", "kill -TERM 0; sleep 5", "signaled SIGTERM"],
    ["the command's shell gets a segmentation fault", "kill -SEGV $BASHPID", "signaled SIGSEGV"],
    ["it replaces itself by a program that dies", "exec sh -c 'kill -ABRT $$'", "signaled SIGABRT"],
  ])("answers honestly and goes on when %s", async (_, script, end) => {
    const runner = hostRunner();
    await runner.run("export KEPT=kept; cd /usr");
    const result = await runner.run(script);
    expect(seen(result)[2]).toBe(end);
    expect(result).toMatchObject({ cwd: "/usr", cwdObserved: false });
    expect(await runner.hurt(" $KEPT")).toBeUndefined();
  });

  it.each([
    ["its mailbox", "rm -f $files.s"],
    ["all its files", "rm -f $files.*"],
    ["its mailbox, for a folder", "rm -f $files.s; mkdir $files.s"],
    ["its mailbox, for a link into nowhere", "rm -f $files.s; ln -s /nope/x $files.s"],
    ["the mailbox's text", "echo 'nonsense $(id)' > $files.s"],
  ])("is not hurt by a command that takes away %s", async (_, script) => {
    const runner = hostRunner();
    await runner.run("export KEPT=kept");
    const { stdout: mark } = await runner.run('printf %s "$TALARIA_CHANNEL"');
    const files = `${String(await runner.environment.tempDir())}/${mark}`;
    onTestFinished(() => rmSync(`${files}.s`, { recursive: true, force: true }));
    expect(seen(await runner.run(`files=${files}; ${script}; echo done`))).toEqual([
      "done\n",
      "",
      "exited 0",
    ]);
    expect(await runner.hurt(" $KEPT")).toBeUndefined();
    expect(await runner.hurt(" $KEPT")).toBeUndefined();
  });

  it("ends a stopped shell at the timeout, with proof, and goes on", async () => {
    const runner = hostRunner();
    const { outcome } = await runner.run("echo before; kill -STOP $BASHPID; echo after", {
      timeoutMs: 300,
      killGraceMs: 200,
    });
    expect(outcome).toMatchObject({ kind: "timedOut", killed: "all", survivors: [] });
    expect(await runner.hurt()).toBeUndefined();
    const stopped = await runner.run("kill -STOP $$; sleep 30", { timeoutMs: 300, killGraceMs: 200 });
    expect(stopped.outcome).toMatchObject({ kind: "timedOut", killed: "all", survivors: [] });
    expect(await runner.hurt()).toBeUndefined();
  });

  it("keeps no process that read the channel's own input", async () => {
    const runner = hostRunner();
    // The nonce line waits on the channel's input while a command runs; no command may reach it.
    const script =
      "cat /proc/$$/fd/0 /dev/fd/193 /proc/self/fd/193 <&- 2>/dev/null & sleep 0.1; kill $! 2>/dev/null; echo end";
    const result = await runner.run(script, { timeoutMs: 3_000 });
    expect(result.stdout).not.toContain("\u0002");
  });
});

/** An account nobody else uses: its folders are this test's alone. */
const uid = 61_000 + (process.pid % 4_000);
const shared = `/dev/shm/talaria-${uid}`;

/** Runs everything as that account. */
class OtherAccount extends HostEnvironment {
  override spawn(argv: readonly string[], options?: SpawnOptions): Promise<SandboxProcess> {
    const words = ["setpriv", `--reuid=${uid}`, `--regid=${uid}`, "--clear-groups", "--", ...argv];
    return super.spawn(words, options);
  }
}

/** Each process has a /dev/shm of its own, of 16 KiB. */
class SmallMemory extends HostEnvironment {
  override spawn(argv: readonly string[], options?: SpawnOptions): Promise<SandboxProcess> {
    const mount = 'mount -t tmpfs -o size=16k,mode=1777 tmpfs /dev/shm && exec "$@"';
    return super.spawn(["unshare", "--mount", "sh", "-c", mount, "sh", ...argv], options);
  }
}

const canMount =
  process.getuid?.() === 0 &&
  spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/dev/shm"]).status === 0;
const canSwitch = process.getuid?.() === 0 && existsSync("/usr/bin/setpriv") && existsSync("/dev/shm");

describe.skipIf(!canSwitch)("the private folder of the channels", () => {
  afterEach(() => {
    rmSync(shared, { recursive: true, force: true });
    rmSync(`/tmp/talaria-${uid}`, { recursive: true, force: true });
  });

  async function open(env: Record<string, string> = {}): Promise<{ runner: Runner; temp: string }> {
    const temp = await temporaryFolder();
    chmodSync(temp, 0o777);
    const variables = { PATH: process.env["PATH"], HOME: temp, TMPDIR: temp, ...env };
    return { runner: new Runner(new OtherAccount(variables, { timeoutMs: 10_000 })), temp };
  }

  it("may be removed while a session lives", async () => {
    const { runner } = await open();
    await runner.run("export KEPT=kept");
    expect(await runner.environment.tempDir()).toBe(shared);
    expect(seen(await runner.run("rm -rf /dev/shm/talaria-$UID; echo gone"))).toEqual([
      "gone\n",
      "",
      "exited 0",
    ]);
    expect(await runner.hurt(" $KEPT")).toBeUndefined();
    expect(seen(await runner.run("export MORE=1; exit 5"))[2]).toBe("exited 5");
    const slow = await runner.run("sleep 30", { timeoutMs: 200 });
    expect(slow.outcome).toMatchObject({ kind: "timedOut", survivors: [] });
    expect(await runner.hurt(" $KEPT")).toBeUndefined();
    await runner.environment.cleanup();
  });

  it.each([
    ["a file is in its place", () => writeFileSync(shared, "")],
    ["it is another account's", () => mkdirSync(shared, { mode: 0o777 })],
  ])("is made under TMPDIR when %s", async (_, damage) => {
    damage();
    const { runner, temp } = await open();
    expect(await runner.environment.tempDir()).toBe(`${temp}/talaria-${uid}`);
    await runner.run("export KEPT=kept");
    expect(await runner.hurt(" $KEPT")).toBeUndefined();
    expect(execFileSync("stat", ["-c", "%a", `${temp}/talaria-${uid}`]).toString()).toBe("700\n");
    await runner.environment.cleanup();
  });

  it.skipIf(!canMount)("is made under TMPDIR when memory is full, at the start or later", async () => {
    const temp = await temporaryFolder();
    const small = new SmallMemory(
      { PATH: process.env["PATH"], HOME: temp, TMPDIR: temp },
      { timeoutMs: 10_000 },
    );
    const runner = new Runner(small);
    expect(await small.tempDir()).toMatch(/^\/dev\/shm\//);
    await runner.run("export KEPT=kept");
    // Its own file is all that fills it up: the state has grown too large.
    const large = await runner.run("export BIG=$(head -c 40000 /dev/zero | tr '\\0' x); exit 3");
    expect(large).toMatchObject({ exitCode: 3, cwdObserved: false });
    expect(await runner.hurt(" $KEPT")).toBeUndefined();
    const filled = await runner.run(
      "head -c 100000 /dev/zero > /dev/shm/full; export AFTER=1; cd /usr; exit 4",
    );
    expect(filled.exitCode).toBe(4);
    expect(await runner.hurt(" $KEPT")).toBeUndefined();
    await small.cleanup();
  });

  it("is refused with a reason where there is no place for it", async () => {
    writeFileSync(shared, "");
    writeFileSync(`/tmp/talaria-${uid}`, "");
    const { runner } = await open({ TMPDIR: "/proc" });
    const failure = await runner.run("true").catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EnvironmentConnectionError);
    expect(String(failure)).toContain("no private folder could be made");
    await runner.environment.cleanup();
  });
});

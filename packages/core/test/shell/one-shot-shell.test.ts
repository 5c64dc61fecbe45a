import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UnsupportedCapabilityError, WorkdirError } from "../../src/errors/errors.js";
import { asSandboxPath } from "../../src/workdir/paths.js";
import { HostEnvironment } from "./host-environment.js";

const busybox = ["/bin/busybox", "/usr/bin/busybox"].find((path) => existsSync(path));
const applets = ["sh", "cat", "id", "mkdir", "rm", "rmdir", "sleep"];

// The test bed installs busybox-static; without it there is no sandbox without bash to test on.
const skipped = busybox === undefined ? " (skipped: no busybox, npm run testbed -- up local)" : "";
describe.skipIf(busybox === undefined)(`a sandbox without bash${skipped}`, () => {
  let programs = "";
  let temporary = "";
  let environment: HostEnvironment;

  beforeAll(async () => {
    programs = await mkdtemp(join(tmpdir(), "talaria-busybox-"));
    temporary = await mkdtemp(join(tmpdir(), "talaria-no-bash-"));
    for (const applet of applets) await symlink(busybox ?? "", join(programs, applet));
    environment = new HostEnvironment({ PATH: programs, HOME: temporary, TMPDIR: temporary });
  });
  afterAll(async () => {
    await environment.cleanup();
    await rm(programs, { recursive: true });
    await rm(temporary, { recursive: true });
  });

  it("declares what it lacks and says so once", async () => {
    expect(await environment.capabilities()).toEqual(["stdin", "separateStreams", "concurrency", "spawn"]);
    const first = await environment.execute("echo hi");
    expect(first).toMatchObject({ output: "hi\n", outcome: { kind: "exited", code: 0 } });
    expect(first.notes.join()).toContain("There is no bash");
    expect((await environment.execute("echo hi")).notes).toEqual([]);
  });

  it.each([
    ["exit 3", { kind: "exited", code: 3 }],
    ["exit 137", { kind: "exited", code: 137 }],
    ["kill -9 $$", { kind: "signaled", signal: "SIGKILL", signalNumber: 9 }],
    ['echo "unclosed', { kind: "exited", code: 2 }],
    ["cat", { kind: "exited", code: 0 }],
    ["sleep 9 & echo started", { kind: "exited", code: 0 }],
  ])("%s ends as it would in a shell of its own", async (command, outcome) => {
    expect((await environment.execute(command)).outcome).toEqual(outcome);
  });

  it("learns the directory and starts where it is told", async () => {
    expect(await environment.execute("cd /; exit 3")).toMatchObject({ cwd: "/", cwdObserved: true });
    const start = { path: asSandboxPath("/"), relative: "proc/..", ifMissing: "fail" as const };
    expect((await environment.execute("pwd", { start })).output).toBe("/\n");
  });

  it("refuses a start directory that is not there, or takes the nearest ancestor and says so", async () => {
    const path = asSandboxPath("/nowhere/below");
    await expect(environment.execute("pwd", { start: { path, ifMissing: "fail" } })).rejects.toThrow(
      WorkdirError,
    );
    const result = await environment.execute("pwd", { start: { path, ifMissing: "nearest" } });
    expect(result.output).toBe("/\n");
    expect(result.notes).toEqual(["/nowhere/below could not be entered; the command ran in /."]);
  });

  it("gives input, variables of one call and both streams apart", async () => {
    const stdin = Buffer.from([0, 255, 10, 39]);
    expect(Buffer.from((await environment.execute("cat", { stdin })).outputBytes)).toEqual(stdin);
    const env = { QUOTED: "it's\n$HOME" };
    expect((await environment.execute('printf %s "$QUOTED"', { env })).output).toBe("it's\n$HOME");
    expect(await environment.execute("echo out; echo err >&2", { separate: true })).toMatchObject({
      stdout: "out\n",
      stderr: "err\n",
    });
  });

  it("feeds a stream as input while the command runs", async () => {
    async function* pieces(): AsyncGenerator<string> {
      for (let count = 0; count < 3; count++) yield `${count}\n`;
    }
    expect((await environment.execute("cat; echo end", { stdin: pieces() })).output).toBe("0\n1\n2\nend\n");
  });

  it("gives each command the session's variables", async () => {
    const env = { SESSION: "it's", HOME: null };
    const none = { functions: {}, aliases: {}, shopt: {}, options: {}, umask: null };
    await environment.importShellState({ env, ...none });
    expect((await environment.execute('echo "$SESSION ${HOME-none}"')).output).toBe("it's none\n");
  });

  it("remembers a directory whatever its name is", async () => {
    const odd = `${temporary}/a\nb c`;
    const { cwd } = await environment.execute(`mkdir "${odd}"; cd "${odd}"`);
    expect(cwd).toBe(odd);
    const start = { path: cwd, relative: "..", ifMissing: "fail" as const };
    expect((await environment.execute("pwd; rmdir a*", { start })).output).toBe(`${temporary}\n`);
  });

  it("refuses another account, which it could not switch to", async () => {
    await expect(environment.execute("id", { user: "nobody" })).rejects.toThrow(UnsupportedCapabilityError);
  });

  it("ends a command that takes too long, claims no proof and leaves no file", async () => {
    const result = await environment.execute("echo begun; sleep 30", { timeoutMs: 300, killGraceMs: 100 });
    expect(result).toMatchObject({
      outcome: { kind: "timedOut", killed: "unverified" },
      output: "begun\n",
    });
    expect(await readdir(await environment.tempDir())).toEqual([]);
  });
});

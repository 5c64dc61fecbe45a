import { existsSync } from "node:fs";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SessionJobs } from "../../src/jobs/session-jobs.js";
import { executeYielding } from "../../src/jobs/yield.js";
import { HostEnvironment } from "../shell/host-environment.js";
import { HostAccess } from "./host-access.js";

const busybox = ["/bin/busybox", "/usr/bin/busybox"].find((path) => existsSync(path));
const applets =
  "sh cat id mkdir rm rmdir sleep ls mv mkfifo date setsid dd head tail grep find ln readlink stty tr base64 seq".split(
    " ",
  );

// The test bed installs busybox-static; without it there is no sandbox without bash to test on.
const skipped = busybox === undefined ? " (skipped: no busybox, npm run testbed -- up local)" : "";
describe.skipIf(busybox === undefined)(`jobs in a sandbox without bash${skipped}`, () => {
  let programs = "";
  let environment: HostEnvironment;
  let access: HostAccess;
  let jobs: SessionJobs;

  beforeAll(async () => {
    programs = await mkdtemp(join(tmpdir(), "talaria-busybox-jobs-"));
    for (const applet of applets) await symlink(busybox ?? "", join(programs, applet));
    environment = new HostEnvironment({ PATH: programs, HOME: programs });
    access = new HostAccess(environment);
    jobs = new SessionJobs(access);
  });
  afterAll(async () => {
    await jobs.stopAll({ graceMs: 0 });
    await jobs.close();
    await environment.cleanup();
    await rm(programs, { recursive: true });
  });

  it("are started, listed, waited for and read", async () => {
    const job = await jobs.start('echo "out $WORD"; echo err >&2; pwd; exit 3', {
      env: { WORD: "it's" },
      workdir: "/",
    });
    expect(await job.wait({ timeoutMs: 15_000 })).toMatchObject({ state: "exited", exitCode: 3, cwd: "/" });
    expect((await job.read()).text).toBe("out it's\nerr\n/\n");
    expect((await job.read(4, { maxBytes: 5 })).text).toBe("it's\n");
    expect((await jobs.list()).map(({ id }) => id)).toContain(job.id);
  });

  it("are followed without a byte lost or repeated", async () => {
    const job = await jobs.start("for i in 1 2 3 4 5; do echo line $i; sleep 0.1; done");
    let text = "";
    for await (const { offset, bytes } of job.follow()) {
      expect(offset).toBe(text.length);
      text += Buffer.from(bytes).toString();
    }
    expect(text).toBe("line 1\nline 2\nline 3\nline 4\nline 5\n");
  });

  it("take input until it is closed", async () => {
    const job = await jobs.start("cat", { stdin: "open" });
    await job.write("a\0%b\n");
    await job.closeStdin();
    expect((await job.wait({ timeoutMs: 15_000 })).exitCode).toBe(0);
    expect((await job.read()).text).toBe("a\0%b\n");
  });

  it("are stopped with what can be proven there, and ended by signals", async () => {
    const job = await jobs.start("trap '' TERM; echo up; sleep 1007 & wait; sleep 1007");
    await job.waitForLog("up", { timeoutMs: 15_000 });
    expect(await job.stop({ graceMs: 200 })).toEqual({ killed: "group", survivors: [] });
    expect((await job.info()).state).toBe("stopped");
    const killed = await jobs.start("kill -9 $$");
    expect(await killed.wait({ timeoutMs: 15_000 })).toMatchObject({ state: "signaled", signal: "SIGKILL" });
  });

  it("yield, and give an ordinary result when they need not", async () => {
    const result = await executeYielding(jobs, "echo hi; exit 2", { yieldAfterMs: 15_000 });
    expect(result).toMatchObject({ output: "hi\n", exitCode: 2 });
    const silent = await executeYielding(jobs, "echo hi; sleep 1008", { yieldAfterSilenceMs: 300 });
    if (silent.yielded === undefined) throw new Error("it did not yield");
    expect(silent.output).toBe("hi\n");
    await silent.yielded.stop({ graceMs: 0 });
  });

  it("refuse a terminal, naming what is missing", async () => {
    await expect(jobs.start("true", { tty: { columns: 80, rows: 24 } })).rejects.toThrow(
      "neither python3 nor perl",
    );
  });
});

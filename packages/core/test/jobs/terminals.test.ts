import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SessionJobs } from "../../src/jobs/session-jobs.js";
import { HostEnvironment } from "../shell/host-environment.js";
import { HostAccess } from "./host-access.js";

const hasPerl = existsSync("/usr/bin/perl");

describe.skipIf(!hasPerl)("a terminal where there is perl and no python3", () => {
  let programs = "";
  let environment: HostEnvironment;
  let jobs: SessionJobs;

  beforeAll(async () => {
    programs = await mkdtemp(join(tmpdir(), "talaria-perl-"));
    for (const folder of ["/usr/bin", "/bin"]) {
      for (const name of await readdir(folder)) {
        if (!name.startsWith("python"))
          await symlink(join(folder, name), join(programs, name)).catch(() => {});
      }
    }
    environment = new HostEnvironment({ PATH: programs, HOME: "/tmp" });
    jobs = new SessionJobs(new HostAccess(environment));
  });
  afterAll(async () => {
    await jobs.stopAll({ graceMs: 0 });
    await jobs.close();
    await environment.cleanup();
    await rm(programs, { recursive: true });
  });

  it("has a size, takes input and its end, and is told of a resize", async () => {
    const job = await jobs.start(
      "trap 'stty size' WINCH; [ -t 0 ] && [ -t 1 ] && echo a terminal; stty size; read x; echo got $x; read y; exit 4",
      { tty: { columns: 91, rows: 33 } },
    );
    await job.waitForLog("33 91", { timeoutMs: 10_000 });
    await job.resize({ columns: 100, rows: 40 });
    await job.write("line\n");
    await job.waitForLog("got line", { timeoutMs: 10_000 });
    await job.closeStdin();
    expect(await job.wait({ timeoutMs: 10_000 })).toMatchObject({ state: "exited", exitCode: 4 });
    expect((await job.read()).text).toContain("40 100");
    expect((await job.read()).text).toContain("a terminal");
  });

  it("ends as its job does, by a signal too", async () => {
    const job = await jobs.start("kill -9 $$", { tty: { columns: 80, rows: 24 } });
    expect(await job.wait({ timeoutMs: 10_000 })).toMatchObject({ state: "signaled", signal: "SIGKILL" });
  });
});

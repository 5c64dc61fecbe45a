import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WrappedEnvironment } from "../../src/environment/minimal-environment.js";
import { SessionJobs } from "../../src/jobs/session-jobs.js";
import { HostAccess } from "./host-access.js";

describe("jobs on the smallest environment, which only executes", () => {
  let environment: WrappedEnvironment;
  let jobs: SessionJobs;

  beforeAll(() => {
    environment = new WrappedEnvironment(
      {
        execute: async (command: string) => {
          const { stdout, status } = spawnSync("bash", ["-c", command], {
            encoding: "utf8",
            env: { PATH: process.env["PATH"] },
          });
          return { output: stdout, exitCode: status ?? 1 };
        },
        cleanup: () => undefined,
      },
      { backend: "smallest" },
    );
    jobs = new SessionJobs(new HostAccess(environment));
  });
  afterAll(async () => {
    await jobs.stopAll({ graceMs: 0 });
    await jobs.close();
    await environment.cleanup();
  });

  it("are started, waited for and read, every byte of them", async () => {
    const job = await jobs.start("printf '\\000\\377end'; exit 3", { workdir: "/" });
    expect(await job.wait({ timeoutMs: 20_000 })).toMatchObject({ state: "exited", exitCode: 3, cwd: "/" });
    expect(Buffer.from((await job.read()).bytes).toString("latin1")).toBe("\0\xffend");
  });

  it("are followed by asking, without a byte lost or repeated", async () => {
    const job = await jobs.start("for i in 1 2 3; do echo line $i; sleep 0.2; done");
    let text = "";
    for await (const { offset, bytes } of job.follow()) {
      expect(offset).toBe(text.length);
      text += Buffer.from(bytes).toString();
    }
    expect(text).toBe("line 1\nline 2\nline 3\n");
  });

  it("take input, and are stopped", async () => {
    const job = await jobs.start("cat; sleep 1009", { stdin: "open" });
    await job.write("a\0b\n");
    await job.closeStdin();
    await job.waitForLog("b", { timeoutMs: 20_000 });
    expect((await job.stop({ graceMs: 200 })).survivors).toEqual([]);
    expect((await job.info()).state).toBe("stopped");
  });
});

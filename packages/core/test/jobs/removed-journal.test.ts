import { afterEach, beforeEach, expect, it } from "vitest";
import { SessionJobs } from "../../src/jobs/session-jobs.js";
import { HostEnvironment } from "../shell/host-environment.js";
import { HostAccess } from "./host-access.js";

let environment: HostEnvironment;
let access: HostAccess;
let jobs: SessionJobs;
let root: string;

beforeEach(() => {
  environment = new HostEnvironment({ PATH: process.env["PATH"], HOME: "/tmp" });
  access = new HostAccess(environment);
  jobs = new SessionJobs(access);
  root = `/tmp/talaria-${process.getuid?.() ?? 0}/${access.sessionName}`;
});

afterEach(async () => {
  await jobs.close();
  await access.run(`rm -rf ${root}`, { workdir: "/" });
  await environment.cleanup();
});

it.each([
  ["its folder", (id: string) => `${root}/jobs/${id}`],
  ["the whole journal", () => root],
])(
  "whoever waits for a job learns it when %s is removed under it",
  async (_what, folderOf) => {
    const job = await jobs.start("echo begun; exec sleep 30");
    const { pid } = await job.info();
    const chunks = job.follow()[Symbol.asyncIterator]();
    await chunks.next();
    const waits = [chunks.next(), job.wait(), job.waitForLog("never written")].map(async (wait) =>
      wait.then(
        () => "resolved",
        (error: unknown) => (error as { code: string }).code,
      ),
    );
    await jobs.list();
    await access.run(`rm -rf ${folderOf(job.id)}`, { workdir: "/" });
    try {
      await expect(Promise.all(waits)).resolves.toEqual(["job_not_found", "job_not_found", "job_not_found"]);
    } finally {
      if (pid !== null) process.kill(pid, "SIGKILL");
    }
  },
  30_000,
);

import { afterAll, beforeAll, expect, it } from "vitest";
import { SessionJobs } from "../../src/jobs/session-jobs.js";
import type { Job } from "../../src/jobs/job.js";
import { HostEnvironment } from "../shell/host-environment.js";
import { HostAccess } from "./host-access.js";

let environment: HostEnvironment;
let access: HostAccess;
let jobs: SessionJobs;
let job: Job;

beforeAll(async () => {
  environment = new HostEnvironment({ PATH: process.env["PATH"], HOME: "/tmp" });
  access = new HostAccess(environment);
  jobs = new SessionJobs(access);
  job = await jobs.start("cat", { stdin: "open" });
});

afterAll(async () => {
  await jobs.stopAll({ graceMs: 0 });
  await jobs.close();
  await access.run(`rm -rf /tmp/talaria-${process.getuid?.() ?? 0}/${access.sessionName}`, { workdir: "/" });
  await environment.cleanup();
});

it.each([null, 5, undefined, { length: 3 }])("what is no data is not written: %j", async (data) => {
  await expect(job.write(data as never)).rejects.toMatchObject({ code: "invalid_argument" });
});

it.each([null, 3, undefined, {}])("what is no pattern is not waited for: %j", async (pattern) => {
  await expect(job.waitForLog(pattern as never, { timeoutMs: 100 })).rejects.toMatchObject({
    code: "invalid_argument",
  });
});

it.each([null, 5, undefined])("what is no command is not started: %j", async (command) => {
  const before = access.admitted.length;
  await expect(jobs.start(command as never)).rejects.toMatchObject({ code: "invalid_argument" });
  expect(access.admitted.length).toBe(before);
});

it.each([-1, Number.NaN, "x"])("a time that is none is refused where it is given: %j", async (timeoutMs) => {
  const options = { timeoutMs: timeoutMs as number };
  await expect(job.waitForLog("x", options)).rejects.toMatchObject({ code: "invalid_argument" });
  await expect(job.waitForPort(9, options)).rejects.toMatchObject({ code: "invalid_argument" });
});

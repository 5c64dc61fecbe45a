import { afterAll, beforeAll, expect, it } from "vitest";
import { SessionJobs } from "../../src/jobs/session-jobs.js";
import { HostEnvironment } from "../shell/host-environment.js";
import { HostAccess } from "./host-access.js";

let environment: HostEnvironment;
let access: HostAccess;

beforeAll(() => {
  environment = new HostEnvironment({ PATH: process.env["PATH"], HOME: "/tmp" });
  access = new HostAccess(environment);
});

afterAll(async () => {
  await access.run(`rm -rf /tmp/talaria-${process.getuid?.() ?? 0}/${access.sessionName}`, { workdir: "/" });
  await environment.cleanup();
});

it("whoever follows a job or waits for it learns that the session closed, and the job goes on", async () => {
  const jobs = new SessionJobs(access);
  const job = await jobs.start("echo begun; sleep 60");
  const chunks = job.follow()[Symbol.asyncIterator]();
  const { value } = (await chunks.next()) as { value: { bytes: Uint8Array } };
  expect(Buffer.from(value.bytes).toString()).toBe("begun\n");
  const next = chunks.next();
  const waits = [next, job.wait(), job.waitForLog("never written")].map(async (wait) =>
    wait.then(
      () => "resolved",
      (error: unknown) => (error as { code: string }).code,
    ),
  );
  // Both wait in the sandbox by now: what is asked after them has been answered.
  await jobs.list();
  await jobs.close();
  await expect(Promise.all(waits)).resolves.toEqual(["closed", "closed", "closed"]);

  const again = new SessionJobs(access);
  const found = await again.get(job.id);
  expect((await found.info()).state).toBe("running");
  await found.stop({ graceMs: 0 });
  await again.close();
});

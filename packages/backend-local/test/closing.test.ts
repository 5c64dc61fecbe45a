import { openSession } from "@talaria/core";
import { expect, it } from "vitest";
import { local } from "../src/index.js";

it("a tool whose question is under way when the session closes says that it was closed, not that the sandbox failed", async () => {
  const session = await openSession({ backend: local(), cwd: "/tmp", audit: false });
  const job = await session.jobs.start("sleep 60");
  // Nothing listens there: the question waits inside the sandbox.
  const code = job.waitForPort(1).then(
    () => "resolved",
    (error: unknown) => (error as { code: string }).code,
  );
  const { pid } = await job.info();
  const { jobsLeft } = await session.close();
  expect(jobsLeft.map(({ id }) => id)).toEqual([job.id]);
  process.kill(-(pid ?? Number.NaN), "SIGKILL");
  await expect(code).resolves.toBe("closed");
});

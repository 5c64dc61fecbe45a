import { chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SessionJobs } from "../../src/jobs/session-jobs.js";
import { executeYielding } from "../../src/jobs/yield.js";
import { HostEnvironment } from "../shell/host-environment.js";
import { HostAccess } from "./host-access.js";

let shims: string;
let environment: HostEnvironment;
let access: HostAccess;
let jobs: SessionJobs;

beforeEach(async () => {
  shims = await mkdtemp(join(tmpdir(), "talaria-test-"));
  // Holds the supervisor up between the end of the command and the writing of that end.
  await writeFile(
    join(shims, "rm"),
    `#!/bin/sh
case "$*" in *jobs/*/shell) until [ -e ${shims}/go ]; do sleep 0.02; done ;; esac
exec /bin/rm "$@"
`,
  );
  await chmod(join(shims, "rm"), 0o755);
  environment = new HostEnvironment({ PATH: `${shims}:${process.env["PATH"] ?? ""}`, HOME: "/tmp" });
  access = new HostAccess(environment);
  jobs = new SessionJobs(access);
});

afterEach(async () => {
  await jobs.close();
  await access.run(`rm -rf /tmp/talaria-${process.getuid?.() ?? 0}/${access.sessionName}`, { workdir: "/" });
  await environment.cleanup();
  await rm(shims, { recursive: true });
});

it("a command that ends at the moment it is given back as a job leaves no state of its shell behind", async () => {
  const result = await executeYielding(jobs, "PLANTED=1", { yieldAfterMs: 400 });
  if (result.yielded === undefined) throw new Error("the supervisor was not held up");
  await writeFile(join(shims, "go"), "");
  const { id, exitCode } = await result.yielded.wait();
  expect(exitCode).toBe(0);
  const temp = await environment.tempDir();
  // What the supervisor does after it has told of the end is over when it is gone.
  await access.run(
    `read -r pid _ </tmp/talaria-$UID/${access.sessionName}/jobs/${id}/supervisor; while kill -0 $pid 2>/dev/null; do sleep 0.02; done`,
    { workdir: "/" },
  );
  expect((await readdir(temp)).filter((name) => name === `job-${id}.record`)).toEqual([]);
});

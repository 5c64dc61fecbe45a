import { InvalidArgumentError, type Job, type JobInfo } from "@talaria/core";
import { success, talariaFailure } from "../exit-status.js";
import { formatDocument } from "../output/json-document.js";
import { inSession } from "../program/in-session.js";
import type { Invocation } from "../program/invocation.js";
import { jobMember, stateText } from "./job-member.js";
import type { JobOptions } from "./job-options.js";

export interface WaitOptions extends JobOptions {
  readonly port?: number;
  readonly log?: string;
  readonly timeoutMs?: number;
}

/** As for a command that ran out of time. */
const timeIsUp = 124;

/** Waits for a job's end and ends with its status; for a port or a line of its log with 0. */
export async function waitForJob(invocation: Invocation, id: string, options: WaitOptions): Promise<number> {
  const { stdout, messages } = invocation;
  const { port, log, timeoutMs } = options;
  if (port !== undefined && log !== undefined) {
    throw new InvalidArgumentError("log", "--port and --log are two things to wait for", {
      operation: "jobs.wait",
      hint: "wait for one after the other",
    });
  }
  return inSession(invocation, options, async (session, { signal }) => {
    const job = await session.jobs.get(id);
    if (port !== undefined || log !== undefined) {
      const met = await meet(job, options, signal);
      if (options.json) await stdout.write(formatDocument({ id: job.id, ...met }));
      return success;
    }
    const info = await job.wait({ timeoutMs, signal });
    if (options.json) await stdout.write(formatDocument(jobMember(info)));
    if (info.state === "running") messages.problem(`the job ${info.id} still runs: the time is up`);
    else if (info.state === "lost") messages.problem(`the job ${info.id} is lost: nobody saw how it ended`);
    else messages.detail(`the job ${info.id} has ended: ${stateText(info)}`);
    return statusOf(info);
  });
}

async function meet(
  job: Job,
  { port, log = "", timeoutMs }: WaitOptions,
  signal: AbortSignal,
): Promise<object> {
  if (port !== undefined) {
    await job.waitForPort(port, { timeoutMs, signal });
    return { port };
  }
  const { line, offset } = await job.waitForLog(log, { timeoutMs, signal });
  return { line, offset };
}

function statusOf({ state, exitCode }: JobInfo): number {
  if (state === "running") return timeIsUp;
  return exitCode ?? talariaFailure;
}

import type { KillReport } from "@talaria/core";
import { describeKill } from "../exec/explain-outcome.js";
import { failure, success } from "../exit-status.js";
import { eachOf } from "../program/each-of.js";
import { formatDocument } from "../output/json-document.js";
import { inSession } from "../program/in-session.js";
import type { Invocation } from "../program/invocation.js";
import type { JobOptions } from "./job-options.js";

export interface StopOptions extends JobOptions {
  readonly graceMs?: number;
}

/** Ends jobs with all they started. Status 1 when one could not be ended, or something of it may be left. */
export async function stopJobs(
  invocation: Invocation,
  ids: readonly string[],
  options: StopOptions,
): Promise<number> {
  const { stdout, messages } = invocation;
  const { graceMs } = options;
  return inSession(invocation, options, async (session, { signal }) => {
    const { done, failures } = await eachOf(messages, ids, signal, async (prefix) => {
      const job = await session.jobs.get(prefix);
      return { id: job.id, ...(await job.stop({ graceMs, signal })) };
    });
    const stopped = done.map(({ result }) => result);
    if (options.json) {
      const failed = failures.map(({ name: job, error }) => ({ job, error }));
      await stdout.write(formatDocument({ stopped, failures: failed }));
    }
    for (const report of stopped) {
      const text = `${report.id} was stopped: ${describeKill(report)}`;
      if (isSure(report)) messages.note(text);
      else messages.problem(text);
    }
    return failures.length === 0 && stopped.every(isSure) ? success : failure;
  });
}

/** Nothing is known to be left, and something of the end was seen. */
function isSure({ killed, survivors }: KillReport): boolean {
  return survivors.length === 0 && killed !== "unverified";
}

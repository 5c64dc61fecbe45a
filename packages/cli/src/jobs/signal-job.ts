import { success } from "../exit-status.js";
import { formatDocument } from "../output/json-document.js";
import { inSession } from "../program/in-session.js";
import type { Invocation } from "../program/invocation.js";
import type { JobOptions } from "./job-options.js";

/** Sends a job's process group a signal. */
export async function signalJob(
  invocation: Invocation,
  id: string,
  name: string,
  options: JobOptions,
): Promise<number> {
  const { stdout, messages } = invocation;
  return inSession(invocation, options, async (session) => {
    const job = await session.jobs.get(id);
    await job.signal(name);
    if (options.json) await stdout.write(formatDocument({ id: job.id, signal: name }));
    messages.detail(`sent ${name} to ${job.id}`);
    return success;
  });
}

import { failure, success } from "../exit-status.js";
import { eachOf } from "../program/each-of.js";
import { formatDocument } from "../output/json-document.js";
import { inSession } from "../program/in-session.js";
import type { Invocation } from "../program/invocation.js";
import type { JobOptions } from "./job-options.js";

/** Forgets jobs that have ended. Status 1 when one could not be forgotten. */
export async function removeJobs(
  invocation: Invocation,
  ids: readonly string[],
  options: JobOptions,
): Promise<number> {
  const { stdout, messages } = invocation;
  return inSession(invocation, options, async (session, { signal }) => {
    const { done, failures } = await eachOf(messages, ids, signal, (id) => session.jobs.remove(id));
    if (options.json) {
      const failed = failures.map(({ name: job, error }) => ({ job, error }));
      await stdout.write(formatDocument({ removed: done.map(({ name }) => name), failures: failed }));
    }
    for (const { name } of done) messages.detail(`forgot ${name}`);
    return failures.length === 0 ? success : failure;
  });
}

import { checkTimeout } from "./check-timeout.js";
import { hasEnded, type JobInfo } from "./job-info.js";
import type { JobWaitOptions } from "./job-options.js";
import type { JobWatcher } from "./job-watcher.js";
import type { Journal } from "./journal.js";

/** Waits for the end of a job; when the time is over, resolves with what is known then. */
export async function waitForEnd(
  journal: Journal,
  watcher: JobWatcher,
  id: string,
  { timeoutMs, signal }: JobWaitOptions,
): Promise<JobInfo> {
  checkTimeout(timeoutMs, "jobs.wait");
  signal?.throwIfAborted();
  const { info } = await journal.inspectOne(id, signal);
  if (hasEnded(info) || timeoutMs === 0) return info;
  watcher.closing.throwIfAborted();
  let timer: NodeJS.Timeout | undefined;
  let forget = (): void => {};
  let onAbort = (): void => {};
  try {
    await new Promise<void>((resolve, reject) => {
      onAbort = resolve;
      signal?.addEventListener("abort", onAbort, { once: true });
      watcher.closing.addEventListener("abort", onAbort, { once: true });
      if (timeoutMs !== undefined) timer = setTimeout(resolve, Math.min(timeoutMs, 2 ** 31 - 1));
      watcher.watch(id, () => resolve()).then((taken) => (forget = taken), reject);
    });
  } finally {
    clearTimeout(timer);
    forget();
    signal?.removeEventListener("abort", onAbort);
    watcher.closing.removeEventListener("abort", onAbort);
  }
  signal?.throwIfAborted();
  watcher.closing.throwIfAborted();
  return (await journal.inspectOne(id, signal)).info;
}

import { followLog } from "./follow.js";
import type { JobEvent, WatchPattern } from "./job-event.js";
import type { JobWatcher } from "./job-watcher.js";
import type { Journal } from "./journal.js";
import { LogLines } from "./log-lines.js";
import { PatternLimit } from "./pattern-limit.js";
import { lineMatcher } from "./wait-for-log.js";

/** Follows a job and tells of the lines that match, within the limits of each pattern. Returns when there is no more to tell. */
export async function watchPatterns(
  journal: Journal,
  watcher: JobWatcher,
  jobId: string,
  patterns: readonly WatchPattern[],
  signal: AbortSignal,
  tell: (event: JobEvent) => void,
): Promise<void> {
  const watched = new Set(
    patterns.map((given) => ({
      name: given.name ?? String(given.pattern),
      match: lineMatcher(given.pattern),
      limit: new PatternLimit(given),
    })),
  );
  const lines = new LogLines(0);
  const look = (text: string, offset: number): void => {
    for (const one of watched) {
      if (one.match(text) === undefined) continue;
      const verdict = one.limit.judge();
      if (verdict.kind === "suppress") continue;
      const { suppressed } = verdict;
      const line = journal.access.redact(text);
      if (verdict.kind === "tell") {
        tell({ kind: "match", jobId, pattern: one.name, line, offset, suppressed });
      } else {
        watched.delete(one);
        tell({ kind: "watchDisabled", jobId, pattern: one.name, suppressed });
      }
    }
  };
  try {
    for await (const { bytes } of followLog(journal, watcher, jobId, { signal })) {
      for (const { text, offset } of lines.push(bytes)) look(text, offset);
      if (watched.size === 0) return;
    }
    const rest = lines.peek();
    if (rest !== undefined) look(rest.text, rest.offset);
  } catch (error) {
    if (signal.aborted) return;
    tell({ kind: "watchFailed", jobId, error: error instanceof Error ? error.message : String(error) });
  }
}

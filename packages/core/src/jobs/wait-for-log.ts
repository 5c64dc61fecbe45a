import { InvalidArgumentError, JobError } from "../errors/errors.js";
import { checkTimeout } from "./check-timeout.js";
import { followLog } from "./follow.js";
import type { LogMatch, WaitForLogOptions } from "./job-options.js";
import type { JobWatcher } from "./job-watcher.js";
import type { Journal } from "./journal.js";
import { LogLines, type LogLine } from "./log-lines.js";

const tailBytes = 2_000;

/** A matcher of lines. An expression's own place in a text (`lastIndex`) is not used. */
export function lineMatcher(
  pattern: string | RegExp,
): (line: string) => readonly (string | undefined)[] | undefined {
  if (typeof pattern === "string") return (line) => (line.includes(pattern) ? [pattern] : undefined);
  const expression = new RegExp(pattern.source, pattern.flags.replaceAll(/[gy]/g, ""));
  return (line) => expression.exec(line) ?? undefined;
}

/** Waits for a line of a job's log: what is there already counts, and nothing is missed between looking and waiting. */
export async function waitForLog(
  journal: Journal,
  watcher: JobWatcher,
  id: string,
  pattern: string | RegExp,
  { timeoutMs, sinceOffset = 0, signal }: WaitForLogOptions,
): Promise<LogMatch> {
  checkTimeout(timeoutMs, "jobs.waitForLog");
  if (typeof pattern !== "string" && !((pattern as unknown) instanceof RegExp)) {
    throw new InvalidArgumentError("pattern", `${String(pattern)} is no text and no regular expression.`, {
      operation: "jobs.waitForLog",
      hint: 'Give what the line has in it, as "ready" or /listening on (\\d+)/.',
    });
  }
  const match = lineMatcher(pattern);
  const over = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  const signals = [signal, over].filter((one) => one !== undefined);
  const lines = new LogLines(sinceOffset);
  let tail = Buffer.alloc(0);
  const found = ({ text, offset }: LogLine): LogMatch | undefined => {
    const groups = match(text);
    if (groups === undefined) return undefined;
    const { access } = journal;
    if (access.outputFilter() === undefined) return { line: text, offset, groups };
    const shown = groups.map((group) => (group === undefined ? undefined : access.redact(group)));
    return { line: access.redact(text), offset, groups: shown };
  };
  try {
    for await (const { bytes } of followLog(journal, watcher, id, {
      offset: sinceOffset,
      signal: signals.length === 0 ? undefined : AbortSignal.any(signals),
    })) {
      for (const line of lines.push(bytes)) {
        const result = found(line);
        if (result !== undefined) return result;
      }
      // A prompt has no line end: what is there of the line counts as well.
      const open = lines.peek();
      const result = open === undefined ? undefined : found(open);
      if (result !== undefined) return result;
      tail = Buffer.concat([tail, bytes]).subarray(-tailBytes);
      // Without this a view would keep all of what it was cut from.
      tail = Buffer.from(tail);
    }
  } catch (error) {
    if (over?.aborted !== true || signal?.aborted === true) throw error;
    throw notFound(journal, id, pattern, `within ${timeoutMs} ms; it still runs`, "job_invalid", tail);
  }
  throw notFound(journal, id, pattern, "before it ended", "job_ended", tail);
}

function notFound(
  journal: Journal,
  id: string,
  pattern: string | RegExp,
  when: string,
  code: "job_invalid" | "job_ended",
  tail: Buffer,
): JobError {
  const shown = journal.access.redact(tail.toString("utf8"));
  const end = shown === "" ? "It has written nothing." : `The end of its log:\n${shown}`;
  return new JobError(code, id, `No line of the job "${id}" matched ${String(pattern)} ${when}. ${end}`, {
    backend: journal.access.backend,
    operation: "jobs.waitForLog",
    hint: "Look at its log from the beginning, and at what it was started with.",
  });
}

/** What is written at the end of the process. */
interface Flushable {
  flushNow(): void;
}

/**
 * The logs that hold something back. State of the module, because the end of the process is one for all of them: a
 * listener of each log's own would be too many for Node.
 */
const waiting = new Set<Flushable>();

function flushAll(): void {
  for (const log of waiting) log.flushNow();
}

/** Has a log written when the process ends. A process that is killed loses what waited, a tenth of a second's worth. */
export function flushAtExit(log: Flushable): void {
  if (waiting.size === 0) process.once("exit", flushAll);
  waiting.add(log);
}

/** The log holds nothing back any more. */
export function forgetAtExit(log: Flushable): void {
  if (waiting.delete(log) && waiting.size === 0) process.off("exit", flushAll);
}

import { InvalidArgumentError } from "../errors/errors.js";

/** Throws InvalidArgumentError for a limit that is no time. */
export function checkTimeout(timeoutMs: number | undefined, operation: string): void {
  if (timeoutMs === undefined || (Number.isFinite(timeoutMs) && timeoutMs >= 0)) return;
  throw new InvalidArgumentError(
    "timeoutMs",
    `timeoutMs is a number of milliseconds from 0, not ${String(timeoutMs)}.`,
    { operation, hint: "Leave it out to wait without a limit." },
  );
}

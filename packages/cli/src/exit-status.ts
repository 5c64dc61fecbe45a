import type { Outcome } from "@talaria/core";

/** Exit statuses of the commands other than `exec` and `shell`. */
export const success = 0;
/** The command did its work and the answer is bad: a failed check, a backend that is not ready, an error. */
export const failure = 1;
/** The command line could not be understood. */
export const usageFailure = 2;
/**
 * Talaria itself failed (`exec`, `shell`): every other number below 126 may be the command's own. The same number and
 * meaning as `docker run` and `env`.
 */
export const talariaFailure = 125;

/** `exec --yield-after`: the command goes on as a job, and has no status yet (EX_TEMPFAIL). */
export const stillRuns = 75;

/** What a Unix tool whose reader went away ends with: 128 + SIGPIPE. */
export const brokenPipe = 141;

/** The exit status of `talaria exec` for a finished command. `cancelledStatus` stands for what cancelled it. */
export function statusOfOutcome(outcome: Outcome, cancelledStatus = 130): number {
  switch (outcome.kind) {
    case "exited":
      return outcome.code;
    case "signaled":
      return 128 + outcome.signalNumber;
    case "timedOut":
      return 124;
    case "cancelled":
      return cancelledStatus;
    case "notStarted":
      return outcome.reason === "cancelled" ? cancelledStatus : talariaFailure;
    case "lost":
      return talariaFailure;
  }
}

import { signalName } from "../shell/signal-names.js";
import { asSandboxPath, type SandboxPath } from "../workdir/paths.js";
import type { MinimalAnswer } from "./minimal-answer.js";
import type { RunEnd } from "./minimal-run.js";
import type { MinimalReport } from "./minimal-script.js";
import type { Outcome } from "./outcome.js";

/** A kill that was sent and of which nothing could be seen. */
const unverified = { killed: "unverified", survivors: [] } as const;
const timedOutCode = 124;
const lastSignal = 64;

/** How the command ended, from all there is to go by. */
export function outcomeOfMinimal(
  end: Exclude<RunEnd, { kind: "failed" }>,
  answer: MinimalAnswer | undefined,
  report: MinimalReport,
  timeoutMs: number,
): Outcome {
  switch (end.kind) {
    case "timedOut":
      return { kind: "timedOut", timeoutMs, ...unverified };
    case "cancelled":
      return { kind: "cancelled", ...unverified };
    case "notStarted":
      return { kind: "notStarted", reason: "cancelled", detail: "it was cancelled before it began" };
    case "answered":
      break;
  }
  // The status that came in-band is the shell's own; what the environment says may have been changed on its way.
  if (report.end !== undefined) return { kind: "exited", code: report.end.status };
  if (answer === undefined) return { kind: "lost", reason: "the environment gave no answer" };
  if (end.timeIsUp && answer.exitCode === timedOutCode) return { kind: "timedOut", timeoutMs, ...unverified };
  // The shell did not get to tell: above 128 that is how a signal looks.
  const number = answer.exitCode - 128;
  return number > 0 && number <= lastSignal
    ? { kind: "signaled", signal: signalName(number), signalNumber: number }
    : { kind: "exited", code: answer.exitCode };
}

/** A directory as the sandbox told it. A name that arrived damaged is not one that could be returned to. */
export function directoryOf(path: string | undefined): SandboxPath | undefined {
  return path?.startsWith("/") === true && !path.includes("\uFFFD") ? asSandboxPath(path) : undefined;
}

import type { CommandResult } from "../environment/execute-result.js";
import type { Outcome, Survivor } from "../environment/outcome.js";

/**
 * A result without secrets in what is told about it: command lines of processes that were left or survived, reasons,
 * notes. Its output had them taken out when it came; its directory stays, because one goes on from there.
 */
export function redactResult(result: CommandResult, redact: (text: string) => string): CommandResult {
  const { background, notes, outcome } = result;
  const clean = redactOutcome(outcome, redact);
  if (clean === outcome && background === undefined && notes.length === 0) return result;
  return {
    ...result,
    outcome: clean,
    notes: notes.map(redact),
    ...(background === undefined ? {} : { background: redactCommands(background, redact) }),
  };
}

function redactOutcome(outcome: Outcome, redact: (text: string) => string): Outcome {
  switch (outcome.kind) {
    case "exited":
    case "signaled":
      return outcome;
    case "timedOut":
    case "cancelled":
      return { ...outcome, survivors: redactCommands(outcome.survivors, redact) };
    case "lost":
      return { ...outcome, reason: redact(outcome.reason) };
    case "notStarted":
      return { ...outcome, detail: redact(outcome.detail) };
  }
}

function redactCommands(
  processes: readonly Survivor[],
  redact: (text: string) => string,
): readonly Survivor[] {
  return processes.map(({ pid, command }) => ({ pid, command: redact(command) }));
}

import { asSandboxPath, exitCodeOf, type CommandResult, type Outcome } from "@talaria/core";

/** A result as an environment would return it. */
export function resultOf(outcome: Outcome, output = ""): CommandResult {
  return {
    outcome,
    exitCode: exitCodeOf(outcome),
    output,
    outputBytes: Buffer.from(output),
    ordered: true,
    cwd: asSandboxPath("/"),
    cwdObserved: true,
    generation: 1,
    notes: [],
    timing: { queuedMs: 0, connectMs: 0, firstByteMs: null, exitMs: 0, drainedMs: 0 },
  };
}

import type { CommandResult, CommandTiming, Outcome } from "@talaria/core";
import { bytesMember, snakeCase } from "../output/json-document.js";

/** A finished command as the document of `exec --json`. */
export function resultDocument(result: CommandResult): object {
  return {
    outcome: outcomeMember(result.outcome),
    exitCode: result.exitCode,
    ...bytesMember("output", result.outputBytes),
    ordered: result.ordered,
    ...(result.stdoutBytes === undefined ? {} : bytesMember("stdout", result.stdoutBytes)),
    ...(result.stderrBytes === undefined ? {} : bytesMember("stderr", result.stderrBytes)),
    cwd: result.cwd,
    cwdObserved: result.cwdObserved,
    generation: result.generation,
    recreated: result.recreated,
    truncated: result.truncated,
    background: result.background,
    notes: result.notes,
    timing: timingMember(result.timing),
  };
}

/** An outcome with its kind in the wire's words (`timed_out`, `not_started`). */
function outcomeMember(outcome: Outcome): object {
  return { ...outcome, kind: snakeCase(outcome.kind) };
}

function timingMember({ queuedMs, connectMs, firstByteMs, exitMs, drainedMs }: CommandTiming): object {
  return {
    queuedMs: rounded(queuedMs),
    connectMs: rounded(connectMs),
    firstByteMs: firstByteMs === null ? null : rounded(firstByteMs),
    exitMs: rounded(exitMs),
    drainedMs: rounded(drainedMs),
  };
}

/** To three places, which is what a clock can tell. */
function rounded(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}

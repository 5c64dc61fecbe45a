import type { KillReport } from "../environment/outcome.js";
import { TalariaError } from "../errors/talaria-error.js";
import { withoutLimit } from "./check-command.js";
import type { ExecuteResult } from "./session-result.js";

/** Characters of the output's end that go into the error's text. All of it is in `result`. */
const tailLength = 4000;

/**
 * Thrown by `ExecuteResult.orThrow()` for a command that did not end with status 0. The text says how it ended and
 * carries the end of its output; the command itself is not in it, because it may hold secrets.
 */
export class CommandFailedError extends TalariaError {
  /** The whole result. */
  readonly result: ExecuteResult;

  constructor(backend: string, result: ExecuteResult) {
    super("command_failed", `${describeOutcome(result)}${describeOutput(result)}`, {
      backend,
      operation: "execute",
      hint: hintFor(result),
    });
    this.result = result;
  }
}

function describeOutcome({ outcome }: ExecuteResult): string {
  switch (outcome.kind) {
    case "exited":
      return `The command ended with status ${outcome.code}.`;
    case "signaled":
      return `The command's shell was ended by ${outcome.signal}.`;
    case "timedOut":
      return `The command did not end within ${outcome.timeoutMs} ms and was stopped (${describeKill(outcome)}).`;
    case "cancelled":
      return `The command was cancelled (${describeKill(outcome)}).`;
    case "lost":
      return `The connection was lost while the command ran: ${outcome.reason}.`;
    case "notStarted":
      return `The command was not started (${outcome.reason}): ${outcome.detail}`;
  }
}

function describeKill({ killed, survivors }: KillReport): string {
  const proofs = {
    all: "nothing of it is left",
    group: "its process group is gone",
    unverified: "whether its processes ended is not known",
  };
  const left = survivors.map(({ pid, command }) => `${pid} ${command}`).join(", ");
  return left === "" ? proofs[killed] : `still running: ${left}`;
}

function describeOutput({ output }: ExecuteResult): string {
  if (output === "") return "";
  // Cutting between the halves of a surrogate pair would leave half a character.
  const tail = output.slice(-tailLength).replace(/^[\uDC00-\uDFFF]/, "");
  return `${tail.length < output.length ? " Its output ends with:" : " Its output:"}\n${tail}`;
}

function hintFor({ outcome }: ExecuteResult): string | undefined {
  switch (outcome.kind) {
    case "timedOut":
      return `Give it more time by timeoutMs. ${withoutLimit}`;
    case "lost":
      return "Whether the command finished is not known: look before it is run again.";
    case "exited":
    case "signaled":
    case "cancelled":
    case "notStarted":
      return undefined;
  }
}

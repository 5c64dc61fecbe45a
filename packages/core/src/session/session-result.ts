import type { CommandResult } from "../environment/execute-result.js";
import { CommandFailedError } from "./command-failed-error.js";

/** What `TerminalSession.execute` gives: plain data, and a way to take anything but success for an error. */
export interface ExecuteResult extends CommandResult {
  /** Returns the result when the command exited with status 0, else throws CommandFailedError. */
  orThrow(): ExecuteResult;
}

/** Adds `orThrow`, which stays out of copies, comparisons and JSON. */
export function toExecuteResult(backend: string, result: CommandResult): ExecuteResult {
  const orThrow = function orThrow(this: void): ExecuteResult {
    if (complete.outcome.kind === "exited" && complete.outcome.code === 0) return complete;
    throw new CommandFailedError(backend, complete);
  };
  const complete: ExecuteResult = Object.defineProperty({ ...result, orThrow }, "orThrow", {
    enumerable: false,
  });
  return complete;
}

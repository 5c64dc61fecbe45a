import type { CommandResult } from "../environment/execute-result.js";
import { CommandFailedError } from "./command-failed-error.js";

/** What `TerminalSession.execute` gives: plain data, and a way to take anything but success for an error. */
export interface ExecuteResult extends CommandResult {
  /** Returns the result when the command exited with status 0, else throws CommandFailedError. */
  orThrow(): ExecuteResult;
}

/** Adds `orThrow`, which stays out of copies, comparisons and JSON: it is on the prototype. */
export function toExecuteResult(backend: string, result: CommandResult): ExecuteResult {
  return Object.assign(new CompleteResult(backend), result);
}

class CompleteResult {
  readonly #backend: string;

  constructor(backend: string) {
    this.#backend = backend;
  }

  orThrow(this: CompleteResult & ExecuteResult): ExecuteResult {
    if (this.outcome.kind === "exited" && this.outcome.code === 0) return this;
    throw new CommandFailedError(this.#backend, this);
  }
}

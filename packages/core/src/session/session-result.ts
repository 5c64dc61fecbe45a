import type { CommandResult } from "../environment/execute-result.js";
import type { SandboxPath } from "../workdir/paths.js";
import { CommandFailedError } from "./command-failed-error.js";

/** What `TerminalSession.execute` gives: plain data, and a way to take anything but success for an error. */
export interface ExecuteResult extends CommandResult {
  /** Only of a command that goes on as a job (`YieldedCommand`). */
  readonly yielded?: undefined;
  /** Returns the result when the command exited with status 0, else throws CommandFailedError. */
  orThrow(): ExecuteResult;
}

/** The result as the session's caller sees it. `orThrow` is on the prototype: it stays out of copies and JSON. */
export function toExecuteResult(
  backend: string,
  result: CommandResult,
  cwd: SandboxPath,
  notes: readonly string[],
): ExecuteResult {
  const complete = Object.assign(new CompleteResult(backend), result) as CompleteResult &
    Writable<CommandResult>;
  complete.cwd = cwd;
  complete.notes = notes;
  return complete;
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

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

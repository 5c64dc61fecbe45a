import type { EnvironmentExecuteOptions } from "../environment/execute-options.js";
import { WorkdirError } from "../errors/errors.js";
import { fromShellBytes } from "./shell-bytes.js";

/** The error for a start directory that the sandbox could not enter. `problem` is the driver's word for it. */
export function workdirError(
  command: EnvironmentExecuteOptions,
  startDirectory: string,
  problem: string,
): WorkdirError {
  const relative = command.start?.relative;
  const asked =
    relative === undefined
      ? fromShellBytes(startDirectory)
      : `${relative} (from ${fromShellBytes(startDirectory)})`;
  const why =
    problem === "missing"
      ? "does not exist in the sandbox"
      : problem === "not_a_directory"
        ? "is not a directory"
        : "cannot be entered: permission denied";
  return new WorkdirError(
    relative ?? fromShellBytes(startDirectory),
    `The working directory ${asked} ${why}.`,
    {
      operation: "execute",
      hint: "Give a directory that exists inside the sandbox, or create it first with `mkdir -p`.",
    },
  );
}

/** What a result says about a start directory that another one had to take the place of. Both in shell bytes. */
export function startNotes(asked: string, adjusted: string | undefined): readonly string[] {
  if (adjusted === undefined || adjusted === "") return [];
  return [`${fromShellBytes(asked)} could not be entered; the command ran in ${fromShellBytes(adjusted)}.`];
}

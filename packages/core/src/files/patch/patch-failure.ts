import { EnvironmentConnectionError, FileError } from "../../errors/errors.js";
import type { PatchStep } from "./patch-step.js";

/** Names the file that failed, and in which state each one is. */
export function patchFailure(
  step: PatchStep,
  steps: readonly PatchStep[],
  states: ReadonlyMap<string, string | undefined>,
  error: unknown,
): unknown {
  const lost = [...states].filter(([, why]) => why !== undefined);
  const isFileError = error instanceof FileError;
  const isConnection = error instanceof EnvironmentConnectionError;
  if (lost.length === 0 && !isFileError && !isConnection) return error;
  const why = error instanceof Error ? error.message : String(error);
  const list = (names: Iterable<string>): string => [...names].map((name) => `"${name}"`).join(", ");
  const restored = [...states.keys()].filter((name) => states.get(name) === undefined);
  const untouched = steps
    .slice(steps.indexOf(step) + 1)
    .flatMap(({ asked }) => (states.has(asked) ? [] : [asked]));
  const message = [
    `The patch failed at "${step.asked}": ${why}`,
    restored.length > 0 ? `Put back as they were: ${list(restored)}.` : "",
    lost.length > 0 ? "Not put back, and so still as the patch left them: " : "",
    ...lost.map(([name, reason]) => `"${name}" (${reason ?? ""}).`),
    untouched.length > 0 ? `Not touched: ${list(untouched)}.` : "",
    isConnection ? `It is not known whether "${step.asked}" was written.` : "",
    lost.length === 0 && !isConnection ? "Nothing of the patch remains." : "",
  ]
    .filter((part) => part !== "")
    .join(" ");
  const hint =
    lost.length > 0
      ? "Look at the files that were not put back before trying again."
      : "Read the files again and try again.";
  if (isConnection)
    return new EnvironmentConnectionError(message, {
      retryHint: error.retryHint,
      operation: "patch",
      cause: error,
    });
  const reason = isFileError ? error.reason : "io";
  return new FileError(step.asked, reason, message, { operation: "patch", hint, cause: error });
}

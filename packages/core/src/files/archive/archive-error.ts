import { FileError, type FileErrorReason } from "../../errors/errors.js";
import { fromShellBytes } from "../../shell/shell-bytes.js";

/** A name of an archive or a file system, made fit to be shown in one line: bytes in, text out. */
export function showName(bytes: string): string {
  const shown = bytes.length > 200 ? `${bytes.slice(0, 120)}…${bytes.slice(-60)}` : bytes;
  return JSON.stringify(fromShellBytes(shown));
}

/** An error about one member of an archive. `name` is bytes, one character each. */
export function entryError(
  name: string,
  reason: FileErrorReason,
  problem: string,
  hint = "Nothing was written to the target. Do not trust an archive that holds such an entry.",
): FileError {
  return new FileError(
    fromShellBytes(name),
    reason,
    `The entry ${showName(name)} of the archive ${problem}.`,
    {
      operation: "extract",
      hint,
    },
  );
}

/** An error about the archive as a whole. */
export function archiveError(reason: FileErrorReason, problem: string, cause?: unknown): FileError {
  return new FileError("", reason, `The archive ${problem}.`, {
    operation: "extract",
    hint: "Nothing was written to the target. Make the archive anew, or look whether its sender was cut off.",
    cause,
  });
}

import { FileError, type FileErrorReason } from "../../errors/errors.js";
import { TalariaError } from "../../errors/talaria-error.js";
import { fromShellBytes } from "../../shell/shell-bytes.js";
import { showName } from "./archive-error.js";

const reasons: Readonly<Record<string, { readonly reason: FileErrorReason; readonly words: string }>> = {
  ENOENT: { reason: "not_found", words: "there is nothing of that name" },
  EACCES: { reason: "permission", words: "this account may not" },
  EPERM: { reason: "permission", words: "this account may not" },
  EISDIR: { reason: "is_directory", words: "it is a directory" },
  ENOTDIR: { reason: "not_directory", words: "a part of the path is no directory" },
  EEXIST: { reason: "exists", words: "there is something of that name" },
  ENOTEMPTY: { reason: "not_empty", words: "the directory is not empty" },
  ENOSPC: { reason: "no_space", words: "no space is left on the device" },
  EDQUOT: { reason: "no_space", words: "the quota is used up" },
  EFBIG: { reason: "too_large", words: "the file system takes no file that large" },
  EROFS: { reason: "read_only", words: "the file system is read-only" },
  ELOOP: { reason: "refused", words: "it is a link, or was replaced by one meanwhile" },
  ENAMETOOLONG: { reason: "invalid", words: "the name is too long" },
};

/**
 * A failure of this machine's file system as a FileError. `path` is bytes, one character each. What is one of Talaria's
 * errors already, or was aborted, is passed through.
 */
export function hostFileError(path: string, operation: string, error: unknown): unknown {
  if (TalariaError.isInstance(error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || code === "ABORT_ERR") return error;
  const { reason, words } = reasons[code] ?? { reason: "io", words: `the system says ${code}` };
  return new FileError(
    fromShellBytes(path),
    reason,
    `The ${operation} failed on this machine at ${showName(path)}: ${words}.`,
    { operation, cause: error },
  );
}

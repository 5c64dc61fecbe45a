import { FileError, type FileErrorReason } from "../errors/errors.js";
import { fromShellBytes } from "../shell/shell-bytes.js";
import type { FileAnswer } from "./file-shell.js";
import { show, type FilePath } from "./file-path.js";
import { isSensitive, pathRule } from "./path-policy.js";
import { similarNames } from "./similar-names.js";

/** What an error of a file operation names besides the failure itself. */
export interface FailureContext {
  readonly backend: string;
  readonly operation: string;
  readonly path: FilePath;
}

/**
 * The fields of an answer that begins with `=`: text up to each NUL, as many as asked for, then the rest. Throws the
 * FileError that a script's failure (`!reason`, a detail) stands for.
 */
export function answerFields(
  { bytes, complaint }: FileAnswer,
  count: number,
  context: FailureContext,
): { readonly fields: readonly string[]; readonly rest: Buffer } {
  const fields: string[] = [];
  let at = 1;
  while (fields.length < count) {
    const end = bytes.indexOf(0, at);
    if (end < 0) break;
    fields.push(bytes.toString("latin1", at, end));
    at = end + 1;
  }
  if (bytes[0] === 0x21) throw failure(bytes, complaint, context);
  if (bytes[0] !== 0x3d || fields.length < count) {
    throw problem(context, complaintReason(complaint), sentence(complaint), undefined);
  }
  return { fields, rest: bytes.subarray(at) };
}

/** One field of an answer: the physical path it told. */
export function pathField(fields: readonly string[], index: number): string {
  return fromShellBytes(fields[index] ?? "");
}

interface Wording {
  readonly reason: FileErrorReason;
  readonly text: string;
  readonly hint?: string | undefined;
}

const wordings: Readonly<Record<string, Wording>> = {
  not_found: { reason: "not_found", text: "there is no such file" },
  missing_directory: { reason: "not_found", text: "its directory does not exist" },
  is_directory: {
    reason: "is_directory",
    text: "it is a directory",
    hint: "List a directory with `list`; remove it with `recursive: true`.",
  },
  not_directory: {
    reason: "not_directory",
    text: "it, or something on its way, is a file and not a directory",
  },
  not_regular: {
    reason: "not_regular",
    text: "it is neither a file nor a directory (a device, a pipe or a socket)",
    hint: "Only regular files can be read and written.",
  },
  exists: {
    reason: "exists",
    text: "something of that name is there already",
    hint: "Remove it first, or choose another name.",
  },
  not_empty: {
    reason: "not_empty",
    text: "the directory is not empty",
    hint: "Pass `recursive: true` to remove all that is in it.",
  },
  permission: { reason: "permission", text: "the account may not do that" },
  link_loop: { reason: "invalid", text: "its symbolic links lead in a circle, or there are more than 40" },
  changed: {
    reason: "changed",
    text: "it is not the version that was asked for: it was changed, made or removed meanwhile",
    hint: "Read it again and decide anew.",
  },
  outside_roots: {
    reason: "refused",
    text: "it lies outside of the directories that may be written to",
    hint: "Write below one of the session's declared roots.",
  },
  keeps_home: { reason: "refused", text: "it is the home of the account, or holds it" },
  keeps_root: { reason: "refused", text: "it is the root of all files" },
  keeps_cwd: {
    reason: "refused",
    text: "the session stands in it",
    hint: "Leave it first: run `cd` to another directory.",
  },
  into_itself: { reason: "invalid", text: "a directory cannot be moved into itself" },
};

function failure(bytes: Buffer, complaint: string, context: FailureContext): FileError {
  const [kind = "", detail = "", ...names] = bytes.toString("latin1", 1).split("\0");
  const physical = fromShellBytes(detail);
  if (kind.startsWith("refused:")) return refusal(kind.slice("refused:".length), physical, context);
  if (kind === "failed") return problem(context, complaintReason(complaint), sentence(complaint), undefined);
  const wording = wordings[kind];
  if (wording === undefined) return problem(context, "io", sentence(complaint), undefined);
  const shown = physical === "" || physical === context.path.asked ? "" : ` (${show(physical)})`;
  const similar = kind === "not_found" ? similarNames(context.path.name, names.map(fromShellBytes)) : [];
  const hint = similar.length > 0 ? `Similar names there: ${similar.map(show).join(", ")}.` : wording.hint;
  return problem(context, wording.reason, `${wording.text}${shown}`, hint);
}

function refusal(ruleName: string, physical: string, context: FailureContext): FileError {
  const rule = pathRule(ruleName);
  const why = rule === undefined ? "" : ` ${rule.reason}`;
  const isOpen = rule !== undefined && isSensitive(rule);
  return problem(
    context,
    "refused",
    `${show(physical)}${why} (rule "${ruleName}")`,
    isOpen
      ? "If that is meant, pass `allowSensitive: true` (`--allow-sensitive`), or open the session with `files: { allowSensitive: true }`."
      : "Nothing allows it through the file tools.",
  );
}

function problem(
  { backend, operation, path }: FailureContext,
  reason: FileErrorReason,
  why: string,
  hint: string | undefined,
): FileError {
  return new FileError(path.asked, reason, `Cannot ${operation} ${show(path.asked)}: ${why}.`, {
    backend,
    operation,
    hint,
  });
}

/** The system's words, as the C library says them in the C locale. */
const complaints: readonly (readonly [RegExp, FileErrorReason])[] = [
  [/No space left|quota exceeded/i, "no_space"],
  [/Read-only file system/i, "read_only"],
  [/Permission denied|Operation not permitted/i, "permission"],
  [/No such file/i, "not_found"],
  [/Not a directory/i, "not_directory"],
  [/Is a directory/i, "is_directory"],
  [/Directory not empty/i, "not_empty"],
  [/File exists/i, "exists"],
  [/File too large/i, "too_large"],
  [/File name too long|Invalid argument|Illegal byte sequence|subdirectory of itself/i, "invalid"],
];

export function complaintReason(complaint: string): FileErrorReason {
  return complaints.find(([pattern]) => pattern.test(complaint))?.[1] ?? "io";
}

export function sentence(complaint: string): string {
  const last = complaint.trim().split("\n").at(-1)?.replace(/\.$/, "") ?? "";
  return last === "" ? "the sandbox did not say why" : last.slice(0, 500);
}

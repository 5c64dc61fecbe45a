import { FileError, UnsupportedCapabilityError, type FileErrorReason } from "../../errors/errors.js";
import type { TalariaError } from "../../errors/talaria-error.js";
import { complaintReason, sentence } from "../file-failure.js";
import { show } from "../file-path.js";
import type { ScriptEnd } from "./transfer-script.js";

/** What an error names besides the failure. */
export interface TransferContext {
  readonly backend: string;
  readonly operation: string;
  /** The path of the sandbox, as asked for. */
  readonly path: string;
}

const clashes: Readonly<Record<string, { readonly reason: FileErrorReason; readonly words: string }>> = {
  link: {
    reason: "refused",
    words:
      "a directory of the tree would go through a link that is there, and nothing is written through links",
  },
  file: { reason: "not_directory", words: "a directory of the tree has the name of a file that is there" },
  directory: {
    reason: "is_directory",
    words: "a file of the tree has the name of a directory that is there",
  },
  exists: { reason: "exists", words: "a file of the tree is there already, and `overwrite` is false" },
};

/** The error that a script's end stands for, or undefined when it says `done`. */
export function scriptFailure(
  { words, complaint }: ScriptEnd,
  { backend, operation, path }: TransferContext,
): TalariaError | undefined {
  const [kind, detail = ""] = words;
  if (kind === "done") return undefined;
  const problem = (reason: FileErrorReason, why: string, hint?: string): FileError =>
    new FileError(path, reason, `Cannot ${operation} ${show(path)}: ${why}.`, {
      backend,
      operation,
      hint: hint ?? "Nothing half-written is in place.",
    });
  switch (kind) {
    case "no-tar":
      return new UnsupportedCapabilityError(
        "tar",
        `Cannot ${operation} the tree ${show(path)}: there is no \`tar\` in the sandbox of "${backend}".`,
        {
          backend,
          operation,
          hint: "Install tar or busybox there, or transfer the files one by one.",
        },
      );
    case "moved":
      return problem("changed", "something on its path was replaced meanwhile");
    case "digest":
      return problem(
        "changed",
        "its SHA-256 is another one than that of what was sent: it arrived damaged, or was changed meanwhile",
      );
    case "exists":
      return problem("exists", "something of that name was made there meanwhile");
    case "directory":
      return problem("is_directory", "a directory of that name was made there meanwhile");
    case "short":
      return problem("io", `only ${detail === "" ? "a part" : `${detail} bytes`} of it arrived`);
    case "clash": {
      const clash = clashes[detail];
      return problem(
        clash?.reason ?? "io",
        `${clash?.words ?? "the trees do not fit together"} (${show(sentence(complaint))})`,
        "Nothing was changed. Choose an empty target, or leave it out by `exclude`.",
      );
    }
    case "failed":
      return problem(complaintReason(complaint), sentence(complaint));
    default:
      return problem(
        complaint === "" ? "io" : complaintReason(complaint),
        complaint === "" ? "its process in the sandbox was ended" : sentence(complaint),
      );
  }
}

/** Throws FileError (`too_large`) for a single file over its limit; without one any size is good. */
export function assertWithin(
  bytes: number,
  maxBytes: number | undefined,
  { backend, operation, path }: TransferContext,
): void {
  if (maxBytes === undefined || bytes <= maxBytes) return;
  throw new FileError(
    path,
    "too_large",
    `Cannot ${operation} ${show(path)}: it has more than ${maxBytes} bytes.`,
    {
      backend,
      operation,
      hint: "Nothing was written to the target. If that much is meant to pass, raise `limits.maxBytes`.",
    },
  );
}

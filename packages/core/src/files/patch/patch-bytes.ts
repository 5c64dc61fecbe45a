import { FileError } from "../../errors/errors.js";
import type { PatchedText } from "./patch-text.js";
import { invalidPatchError } from "./patch-error.js";
import { readCodings, type TextCoding } from "./text-coding.js";

/** A file's bytes after a patch, and both texts. */
export interface PatchedBytes extends PatchedText {
  readonly bytes: Uint8Array;
  readonly originalText: string;
}

/**
 * Changes a file's text and gives its bytes back: what was not changed is byte for byte as before. Throws FileError
 * `binary` for what is no text, `invalid` for text that the file's encoding cannot hold, and what the change throws.
 */
export function patchBytes(
  path: string,
  bytes: Uint8Array,
  change: (text: string) => PatchedText,
): PatchedBytes {
  let failure: FileError | undefined;
  for (const read of readCodings(bytes)) {
    try {
      return withCoding(path, read(), change);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      failure ??= error;
    }
  }
  throw failure ?? binaryError(path);
}

function withCoding(path: string, coding: TextCoding, change: (text: string) => PatchedText): PatchedBytes {
  const patched = change(coding.text);
  const bytes = coding.encode(patched.text);
  if (bytes !== undefined) return { ...patched, bytes, originalText: coding.text };
  throw invalidPatchError(
    path,
    `"${path}" is text in ${coding.name}, which has no form for a character of the replacement.`,
    coding.name === "utf-8"
      ? "A lone half of a surrogate pair is no character: leave it out."
      : "Use characters that the encoding has, or convert the file to UTF-8 first.",
  );
}

function binaryError(path: string): FileError {
  return new FileError(path, "binary", `Nothing was changed: "${path}" is no text.`, {
    operation: "patch",
    hint: "A patch changes lines of text. Write other files whole, with write or upload.",
  });
}

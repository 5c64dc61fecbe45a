import { InvalidArgumentError } from "@talaria/core";
import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";

/**
 * Throws InvalidArgumentError when the command line had bytes that are not UTF-8: Node has put U+FFFD in their place,
 * and another file than the one meant would be read or removed. Told apart from a U+FFFD somebody wrote by looking at the
 * bytes themselves, where the system shows them (Linux).
 */
export function requireExactWords(words: readonly string[]): void {
  if (!words.some((word) => word.includes("\uFFFD"))) return;
  let bytes: Buffer;
  try {
    bytes = readFileSync("/proc/self/cmdline");
  } catch {
    return;
  }
  if (isUtf8(bytes)) return;
  throw new InvalidArgumentError(
    "words",
    "the command line has bytes that are not UTF-8, which Node cannot pass on",
    {
      hint: String.raw`write them as shell text, for example: talaria exec -- "cat caf\$'\xe9'"`,
    },
  );
}

import { randomBytes } from "node:crypto";
import { fromShellBytes } from "../../shell/shell-bytes.js";

/** A script that moves bytes over its standard streams and says how it ended on its standard error. */
export interface TransferScript {
  readonly text: string;
  /** Marks the line with which it says that. */
  readonly nonce: string;
}

/** How a script said that it ended. */
export interface ScriptEnd {
  /** Empty when it said nothing: it was ended, or never ran. */
  readonly words: readonly string[];
  /** What programs complained about. */
  readonly complaint: string;
}

/**
 * Shell text for any POSIX `sh`. `body` calls `say word…` at its end. Variables and functions that would change what
 * `tar`, `cat` and `cd` do are taken away first.
 */
export function transferScript(body: string): TransferScript {
  const nonce = `talaria:${randomBytes(12).toString("hex")}`;
  const text = [
    "unset TAR_OPTIONS POSIXLY_CORRECT CDPATH ENV BASH_ENV; LC_ALL=C; COPYFILE_DISABLE=1; export LC_ALL COPYFILE_DISABLE",
    `say() { printf '\\n${nonce} %s\\n' "$*" >&2; }`,
    body,
  ].join("\n");
  return { text, nonce };
}

/** Splits what a script wrote to its standard error. Bytes in, one character each. */
export function readScriptEnd(said: string, nonce: string): ScriptEnd {
  const at = said.lastIndexOf(`\n${nonce} `);
  if (at === -1) return { words: [], complaint: fromShellBytes(said).trim() };
  const line = said.slice(at + nonce.length + 2).split("\n", 1)[0] ?? "";
  return { words: line.split(" ").filter(Boolean), complaint: fromShellBytes(said.slice(0, at)).trim() };
}

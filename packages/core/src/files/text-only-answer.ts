import type { FileAnswer } from "./file-shell.js";

/*
 * Where an environment hands back nothing but one text, bytes do not survive: invalid UTF-8 and NUL are lost, and what
 * programs complain about is in between. So both streams of a script travel as base64 (or as `od` prints them, where
 * there is no base64), with a letter before each that says which.
 */

const encode = `if command -v base64 >/dev/null 2>&1; then printf B; base64; else printf O; od -An -v -tx1; fi`;

/** Wraps a script so that its output is plain text. The script's own `exit` ends only itself. */
export function encodeAnswer(script: string): string {
  return (
    `exec 3>&1; e=$( { { (\n${script}\n) 3>&-; } | { ${encode}; } >&3; } 2>&1 ); ` +
    `printf '\\n!'; printf %s "$e" | { ${encode}; }; printf '!'`
  );
}

/** Undefined when it did not arrive whole. */
export function decodeAnswer(output: string): FileAnswer | undefined {
  const parts = output.split("!");
  const [bytes, complaint] = parts.map(decode);
  if (parts.length !== 3 || bytes === undefined || complaint === undefined) return undefined;
  return { bytes, complaint: complaint.toString("utf8") };
}

function decode(part: string): Buffer | undefined {
  const text = part.replaceAll(/\s+/g, "");
  if (text.startsWith("B")) return Buffer.from(text.slice(1), "base64");
  if (text.startsWith("O")) return Buffer.from(text.slice(1), "hex");
  return undefined;
}

/** What the texts of errors name. */
export interface PatchContext {
  /** The path as it was asked for. */
  readonly path: string;
  /** Which part of the patch: `the text to find`, `hunk 2` … Begins a sentence after `what`. */
  readonly part: string;
  /** Takes secrets out of lines of the file. */
  readonly redact: (text: string) => string;
}

/** A line as an error shows it: short, and with its white space to be seen. */
export function showLine(line: string): string {
  const short = line.length > 160 ? `${line.slice(0, 160)}…` : line;
  return `"${short.replaceAll("\t", "\\t").replaceAll("\r", "\\r").replaceAll("\u00A0", "\\u00a0")}"`;
}

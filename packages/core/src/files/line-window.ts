/** Which lines are wanted, and how much of them. */
export interface LineLimits {
  /** First line, from 1. */
  readonly offset: number;
  readonly limit: number;
  readonly maxBytes: number;
  readonly maxLineBytes: number;
}

/** A window of lines: bytes, whole characters. */
export interface LineWindow {
  readonly lines: readonly string[];
  /** Numbers of lines that were cut, from 1 in the file. */
  readonly cutLines: readonly number[];
}

/**
 * Cuts the window out of lines that begin with number `first`. A line is cut at `maxLineBytes`, and the last one at what
 * `maxBytes` leaves when it is the only one: else it is left for the next window. Lines keep their ends, also when cut.
 */
export function cutWindow(lines: Iterable<string>, first: number, limits: LineLimits): LineWindow {
  const kept: string[] = [];
  const cutLines: number[] = [];
  let number = first - 1;
  let bytes = 0;
  for (const line of lines) {
    number += 1;
    if (number < limits.offset) continue;
    if (kept.length === limits.limit) break;
    const most = Math.min(limits.maxLineBytes, limits.maxBytes);
    const shown = cutLine(line, most);
    const size = Buffer.byteLength(shown);
    if (kept.length > 0 && bytes + size > limits.maxBytes) break;
    bytes += size;
    kept.push(shown);
    if (shown !== line) cutLines.push(number);
  }
  return { lines: kept, cutLines };
}

/** The lines of a text with their ends: `\n`, `\r\n`, or `\r` alone where no line feed is in the text at all. */
export function* splitLines(text: string): Generator<string, void, undefined> {
  const end = text.includes("\n") ? "\n" : "\r";
  for (let at = 0; at < text.length;) {
    const found = text.indexOf(end, at);
    const next = found < 0 ? text.length : found + 1;
    yield text.slice(at, next);
    at = next;
  }
}

/** At most so many bytes of UTF-8 before its end, never half a character. */
function cutLine(line: string, maxBytes: number): string {
  // Nearly every line: no look at its end is needed.
  if (line.length * 3 <= maxBytes) return line;
  const [end = ""] = /\r?\n$|\r$/.exec(line) ?? [];
  const body = line.slice(0, line.length - end.length);
  if (body.length * 3 <= maxBytes) return line;
  const bytes = Buffer.from(body, "utf8");
  if (bytes.length <= maxBytes) return line;
  let length = maxBytes;
  while (length > 0 && ((bytes[length] ?? 0) & 0xc0) === 0x80) length -= 1;
  return bytes.toString("utf8", 0, length) + end;
}

/** The lines with their numbers before them, the way `cat -n` readers know it. */
export function numberLines(lines: readonly string[], first: number): string {
  return lines.map((line, index) => `${first + index}|${line}`).join("");
}

/** A replacement at a place of a view: offsets into `TextView.text`, end exclusive. */
export interface ViewEdit {
  readonly start: number;
  readonly end: number;
  /** Lines in it end with `\n`, whatever ends lines in the file. */
  readonly text: string;
}

export interface ViewSettings {
  /** What ends the lines that are put in where no neighbour tells. Default: what ends most lines of the text. */
  readonly lineEnd?: string | undefined;
}

/**
 * A text seen with `\n` at the end of each line and without its byte order mark, and the way back: an edit of the view
 * leaves everything outside of it as it was, and gives new lines the ends of their neighbours. A `\r` that ends no line
 * is a character like others; in a text without any `\n` it ends lines.
 */
export class TextView {
  readonly text: string;
  /** The lines without their ends. What follows the last line end is a line only if there is something. */
  readonly lines: readonly string[];
  /** Where each line begins in `text`; one more than there are lines: the last one is where the text ends. */
  readonly starts: Float64Array;
  readonly #mark: string;
  /** Code of each line's end: an index into `lineEnds`. */
  readonly #ends: Uint8Array;
  readonly #usualEnd: string;

  constructor(original: string, settings: ViewSettings = {}) {
    this.#mark = original.startsWith(byteOrderMark) ? byteOrderMark : "";
    const body = original.slice(this.#mark.length);
    const { lines, ends } = splitLines(body);
    this.lines = lines;
    this.#ends = ends;
    this.#usualEnd = settings.lineEnd ?? usualEnd(ends);
    this.text = ends.some((end) => end > 1)
      ? lines.map((line, at) => line + (ends[at] === 0 ? "" : "\n")).join("")
      : body;
    this.starts = new Float64Array(lines.length + 1);
    for (const [at, line] of lines.entries()) {
      this.starts[at + 1] = (this.starts[at] ?? 0) + line.length + (ends[at] === 0 ? 0 : 1);
    }
  }

  /** True also for the empty text: a line that is put into it gets an end. */
  get endsWithLineEnd(): boolean {
    return this.#ends.at(-1) !== 0;
  }

  /** Number of the line, from 0, that holds an offset; the last one for the end of the text. */
  lineAt(offset: number): number {
    let low = 0;
    let high = Math.max(0, this.lines.length - 1);
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Where a line begins; for the number of lines: where the text ends. */
  startOf(line: number): number {
    return this.starts[line] ?? this.text.length;
  }

  /**
   * The edit that replaces whole lines, `from` to before `to`. Whether the text's last line has an end does not change.
   */
  lineEdit(from: number, to: number, lines: readonly string[]): ViewEdit {
    const start = this.startOf(from);
    const end = this.startOf(to);
    const text = lines.map((line) => `${line}\n`).join("");
    if (to < this.lines.length || this.endsWithLineEnd) return { start, end, text };
    // An empty line is there by its end alone.
    const last = lines.join("\n") + (lines.at(-1) === "" ? "\n" : "");
    if (from === to) return { start, end, text: lines.length === 0 ? "" : `\n${last}` };
    if (lines.length === 0) {
      const isBare = from > 0 && this.lines[from - 1] !== "";
      return { start: isBare ? start - 1 : start, end, text: "" };
    }
    return { start, end, text: last };
  }

  /** The text after edits that do not overlap, in order, with its own line ends and byte order mark. */
  apply(edits: readonly ViewEdit[]): string {
    const pieces = [this.#mark];
    let offset = 0;
    for (const { start, end, text } of edits) {
      if (start < offset || end < start) throw new RangeError("edits overlap or are out of order");
      pieces.push(
        this.#original(offset, start),
        text.includes("\n") ? text.replaceAll("\n", this.#endNear(start)) : text,
      );
      offset = end;
    }
    pieces.push(this.#original(offset, this.text.length));
    return pieces.join("");
  }

  /** A piece of the view as it is in the original. */
  #original(start: number, end: number): string {
    if (start >= end) return "";
    const first = this.lineAt(start);
    const last = this.lineAt(end - 1);
    if (this.#usualEnd === "\n" && !this.#ends.subarray(first, last + 1).some((code) => code > 1)) {
      return this.text.slice(start, end);
    }
    const pieces: string[] = [];
    for (let line = first; line <= last; line += 1) {
      const from = this.startOf(line);
      const content = this.lines[line] ?? "";
      pieces.push(content.slice(Math.max(0, start - from), end - from));
      if (end > from + content.length) pieces.push(lineEnds[this.#ends[line] ?? 0] ?? "");
    }
    return pieces.join("");
  }

  #endNear(offset: number): string {
    const line = this.lineAt(offset);
    return lineEnds[this.#ends[line] || this.#ends[line - 1] || 0] || this.#usualEnd;
  }
}

const byteOrderMark = "\uFEFF";
const lineEnds = ["", "\n", "\r\n", "\r"] as const;

function splitLines(text: string): { readonly lines: string[]; readonly ends: Uint8Array } {
  const lines = text.includes("\n") ? text.split("\n") : text.split("\r");
  const plain = text.includes("\n") ? 1 : 3;
  const ends = new Uint8Array(lines.length).fill(plain);
  if (plain === 1 && text.includes("\r\n")) {
    for (let at = 0; at < lines.length - 1; at += 1) {
      const line = lines[at] ?? "";
      if (!line.endsWith("\r")) continue;
      lines[at] = line.slice(0, -1);
      ends[at] = 2;
    }
  }
  ends[lines.length - 1] = 0;
  if (lines.at(-1) !== "") return { lines, ends };
  lines.pop();
  return { lines, ends: ends.subarray(0, -1) };
}

function usualEnd(ends: Uint8Array): string {
  const counts = [0, 0, 0, 0];
  for (const end of ends) counts[end] = (counts[end] ?? 0) + 1;
  const [, lf = 0, crlf = 0, cr = 0] = counts;
  if (cr > 0) return "\r";
  return crlf > lf ? "\r\n" : "\n";
}

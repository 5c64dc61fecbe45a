/** One line an engine told. */
export interface SearchRecord {
  /** One character a byte, relative. */
  readonly path: string;
  /** The line's number, or the count of matching lines; 0 for a mere name. */
  readonly number: number;
  readonly isMatch: boolean;
  /** One character a byte. Cut where it is longer than is ever looked at. */
  readonly text: string;
}

export interface SearchSink {
  readonly record: (record: SearchRecord) => void;
  /** A file turned out to be binary after lines of it were told. */
  readonly binary: (path: string) => void;
}

/** Of a longer line no more is kept, so that a file of one line does not fill the memory. */
const maxKeptBytes = 64 * 1024;

const warning =
  /^(\.\/[^]*?): (?:WARNING: stopped searching binary file after match|binary file matches) \(found "\\0" byte around offset \d+\)\n/;

/** Reads an engine's answer piece by piece, in bounded memory. */
export class SearchAnswerReader {
  readonly #engine: string;
  readonly #sink: SearchSink;
  #pieces: Buffer[] = [];
  #kept = 0;
  #path: string | undefined;

  constructor(engine: string, sink: SearchSink) {
    this.#engine = engine;
    this.#sink = sink;
  }

  push(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      const isLine = this.#path !== undefined;
      if (isLine && this.#engine === "grep" && this.#kept === 0 && bytes[at] === 0) {
        this.#path = undefined;
        at += 1;
        continue;
      }
      const end = bytes.indexOf(isLine ? 0x0a : 0, at);
      this.#keep(bytes.subarray(at, end < 0 ? bytes.length : end));
      if (end < 0) return;
      at = end + 1;
      const text = Buffer.concat(this.#pieces).toString("latin1");
      this.#pieces = [];
      this.#kept = 0;
      if (isLine) this.#line(text);
      else this.#name(text);
    }
  }

  /** At the end of the answer: what is left can be a last word about a binary file. */
  end(): void {
    if (this.#path === undefined) this.#warnings(Buffer.concat(this.#pieces).toString("latin1"));
  }

  #keep(bytes: Buffer): void {
    const piece = bytes.subarray(0, Math.max(0, maxKeptBytes - this.#kept));
    // A copy: the chunk it is a part of would be held as a whole.
    if (piece.length > 0) this.#pieces.push(Buffer.from(piece));
    this.#kept += piece.length;
  }

  #name(text: string): void {
    const path = this.#warnings(text).slice(2);
    if (this.#engine === "find") this.#sink.record({ path, number: 0, isMatch: true, text: "" });
    else this.#path = path;
  }

  #line(text: string): void {
    const path = this.#path ?? "";
    const found = /^(\d+)([:-]?)/.exec(text);
    if (found !== null) {
      this.#sink.record({
        path,
        number: Number(found[1]),
        isMatch: found[2] !== "-",
        text: text.slice(found[0].length),
      });
    }
    if (this.#engine === "ripgrep") this.#path = undefined;
  }

  /** Takes ripgrep's words between two records away: what parts lines that are not neighbours, and binary files. */
  #warnings(text: string): string {
    if (this.#engine !== "ripgrep") return text;
    let rest = text;
    for (;;) {
      if (rest.startsWith("--\n")) rest = rest.slice(3);
      const found = warning.exec(rest);
      if (found === null) return rest;
      this.#sink.binary((found[1] ?? "").slice(2));
      rest = rest.slice(found[0].length);
    }
  }
}

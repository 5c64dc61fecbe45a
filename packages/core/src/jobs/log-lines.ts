/** A line of a log, without its end, and where it begins. */
export interface LogLine {
  readonly text: string;
  readonly offset: number;
}

/** A longer line is cut into pieces of this size. */
const maxLineBytes = 64 * 1024;

/** Cuts bytes into lines as they come. Holds at most one line. */
export class LogLines {
  #held: Buffer[] = [];
  #heldBytes = 0;
  #offset: number;

  constructor(offset: number) {
    this.#offset = offset;
  }

  /** The lines that are complete with these bytes. */
  *push(bytes: Uint8Array): Generator<LogLine, void, undefined> {
    let rest = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (;;) {
      const end = rest.indexOf(0x0a);
      const room = maxLineBytes - this.#heldBytes;
      if (end >= 0 && end <= room) {
        this.#hold(rest.subarray(0, end));
        yield this.#take(1);
        rest = rest.subarray(end + 1);
      } else if (rest.length >= room) {
        this.#hold(rest.subarray(0, room));
        yield this.#take(0);
        rest = rest.subarray(room);
      } else {
        this.#hold(rest);
        return;
      }
    }
  }

  /** What there is of a line whose end has not come; undefined when it is empty. */
  peek(): LogLine | undefined {
    if (this.#heldBytes === 0) return undefined;
    return { text: lineText(Buffer.concat(this.#held)), offset: this.#offset };
  }

  #hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    // A copy: the piece may be a small part of a large buffer.
    this.#held.push(Buffer.from(bytes));
    this.#heldBytes += bytes.length;
  }

  #take(endBytes: number): LogLine {
    const line = { text: lineText(Buffer.concat(this.#held)), offset: this.#offset };
    this.#offset += this.#heldBytes + endBytes;
    this.#held = [];
    this.#heldBytes = 0;
    return line;
  }
}

function lineText(bytes: Buffer): string {
  return bytes.toString("utf8").replace(/\r$/, "");
}

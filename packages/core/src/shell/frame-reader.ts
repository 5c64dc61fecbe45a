/** A frame of the driver: its kind, a wait status, whether something was left running, and its payload. */
export interface Frame {
  readonly kind: string;
  readonly status: number;
  readonly leftover: number;
  /** Payloads of all frames of one answer, joined. */
  readonly payload: Buffer;
}

const newline = 0x0a;
const nothing = Buffer.alloc(0);

/**
 * Tells a command's output from the driver's answer on one stream. Bytes are passed on at once, except for a suffix
 * that could begin the nonce. After the answer's first frame, bytes between frames are a leftover child's and are
 * handed to `late`.
 */
export class FrameReader {
  readonly #nonce: Buffer;
  readonly #output: (bytes: Buffer) => void;
  readonly #late: (bytes: Buffer) => void;
  #held: Buffer = nothing;
  #answering = false;
  #head: { kind: string; status: number; leftover: number } | undefined;
  #missing = 0;
  #payload: Buffer[] = [];

  constructor(nonce: Buffer, output: (bytes: Buffer) => void, late: (bytes: Buffer) => void) {
    this.#nonce = nonce;
    this.#output = output;
    this.#late = late;
  }

  /** Takes the next bytes. Returns the answer when it is complete, with what follows it. */
  feed(chunk: Buffer): { frame: Frame; rest: Buffer } | undefined {
    let bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    this.#held = nothing;
    for (;;) {
      if (this.#head !== undefined) {
        const part = bytes.subarray(0, this.#missing);
        if (part.length > 0) this.#payload.push(part);
        this.#missing -= part.length;
        bytes = bytes.subarray(part.length);
        if (this.#missing > 0) return undefined;
        const head = this.#head;
        this.#head = undefined;
        if (head.kind !== "m") {
          return { frame: { ...head, payload: Buffer.concat(this.#payload) }, rest: bytes };
        }
      }
      const start = bytes.indexOf(this.#nonce);
      if (start < 0) {
        const keep = this.#possibleBeginning(bytes);
        this.#pass(bytes.subarray(0, bytes.length - keep));
        this.#held = bytes.subarray(bytes.length - keep);
        return undefined;
      }
      this.#pass(bytes.subarray(0, start));
      const end = bytes.indexOf(newline, start);
      if (end < 0) {
        this.#held = bytes.subarray(start);
        return undefined;
      }
      this.#openFrame(bytes.toString("latin1", start + this.#nonce.length, end));
      bytes = bytes.subarray(end + 1);
    }
  }

  /** What was held back, once no more can come: it was output after all. */
  flush(): void {
    if (!this.#answering) this.#pass(this.#held);
    this.#held = nothing;
  }

  #openFrame(line: string): void {
    const [, kind = "x", status = "0", leftover = "0", length = "0"] = line.split(" ");
    this.#answering = true;
    this.#head = { kind, status: Number(status), leftover: Number(leftover) };
    this.#missing = Number(length);
  }

  #pass(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (this.#answering) this.#late(bytes);
    else this.#output(bytes);
  }

  /** Length of the longest suffix that is a proper prefix of the nonce. */
  #possibleBeginning(bytes: Buffer): number {
    const first = this.#nonce[0] ?? 0;
    const from = Math.max(0, bytes.length - this.#nonce.length + 1);
    for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1)) {
      if (bytes.compare(this.#nonce, 0, bytes.length - at, at) === 0) return bytes.length - at;
    }
    return 0;
  }
}

/** Pieces smaller than this are copied together, so that many tiny writes do not become many buffers. */
const smallPieceBytes = 2_048;
const blockBytes = 16_384;

/** Share of the kept bytes that goes to the head (SPEC 3.6). */
const headShare = 0.4;

/** A queue of bytes that can forget its oldest ones. */
class ByteQueue {
  #pieces: Buffer[] = [];
  #block: Buffer | undefined;
  #blockUsed = 0;
  bytes = 0;

  push(piece: Buffer): void {
    this.bytes += piece.length;
    if (piece.length >= smallPieceBytes) {
      this.#seal();
      this.#pieces.push(piece);
      return;
    }
    if (this.#block !== undefined && this.#blockUsed + piece.length > blockBytes) this.#seal();
    this.#block ??= Buffer.allocUnsafeSlow(blockBytes);
    piece.copy(this.#block, this.#blockUsed);
    this.#blockUsed += piece.length;
  }

  /** Drops whole pieces from the front as long as at least `keep` bytes stay. */
  forget(keep: number): void {
    let count = 0;
    for (const piece of this.#pieces) {
      if (this.bytes - piece.length < keep) break;
      this.bytes -= piece.length;
      count += 1;
    }
    if (count > 0) this.#pieces.splice(0, count);
  }

  toBuffer(): Buffer {
    this.#seal();
    return Buffer.concat(this.#pieces);
  }

  #seal(): void {
    if (this.#block !== undefined && this.#blockUsed > 0)
      this.#pieces.push(this.#block.subarray(0, this.#blockUsed));
    this.#block = undefined;
    this.#blockUsed = 0;
  }
}

/** What was kept of a stream. */
export interface CapturedOutput {
  /** Head and tail, joined. */
  readonly bytes: Buffer;
  /** Decoded as UTF-8, with a line between head and tail that says how much is missing. */
  readonly text: string;
  readonly totalBytes: number;
  readonly droppedBytes: number;
}

/** Keeps the head and the tail of a stream in bounded memory and counts the rest exactly. */
export class OutputCapture {
  readonly #maxBytes: number;
  readonly #headBytes: number;
  #head: Buffer | undefined;
  #queue = new ByteQueue();
  #total = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#headBytes = Math.floor(maxBytes * headShare);
  }

  get totalBytes(): number {
    return this.#total;
  }

  /** True once more came than is kept. */
  get overflowed(): boolean {
    return this.#total > this.#maxBytes;
  }

  /** Everything so far. Only before it has overflowed. */
  everything(): Buffer {
    return this.#queue.toBuffer();
  }

  push(piece: Buffer): void {
    this.#total += piece.length;
    this.#queue.push(piece);
    if (!this.overflowed) return;
    if (this.#head === undefined) {
      const all = this.#queue.toBuffer();
      this.#head = Buffer.from(all.subarray(0, this.#headBytes));
      this.#queue = new ByteQueue();
      const rest = all.subarray(this.#headBytes);
      if (rest.length > 0) this.#queue.push(rest);
    }
    this.#queue.forget(this.#maxBytes - this.#headBytes);
  }

  finish(): CapturedOutput {
    const queued = this.#queue.toBuffer();
    if (this.#head === undefined) {
      return { bytes: queued, text: queued.toString("utf8"), totalBytes: this.#total, droppedBytes: 0 };
    }
    const tailBytes = this.#maxBytes - this.#headBytes;
    const head = wholeCharactersAtEnd(this.#head);
    const tail = wholeCharactersAtStart(queued.subarray(Math.max(0, queued.length - tailBytes)));
    const droppedBytes = this.#total - head.length - tail.length;
    return {
      bytes: Buffer.concat([head, tail]),
      text: `${head.toString("utf8")}\n[… ${droppedBytes} bytes left out …]\n${tail.toString("utf8")}`,
      totalBytes: this.#total,
      droppedBytes,
    };
  }
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Without a UTF-8 character that the cut has split. Bytes that are no UTF-8 stay. */
function wholeCharactersAtEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= 4 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

function wholeCharactersAtStart(bytes: Buffer): Buffer {
  let skip = 0;
  while (skip < 3 && isContinuation(bytes[skip])) skip += 1;
  return isContinuation(bytes[skip]) ? bytes : bytes.subarray(skip);
}

import type { Writable } from "node:stream";

/** Why nothing more can be written: the reader went away, or the write failed (a full disk). */
export interface LostReader {
  readonly isGone: boolean;
  readonly message: string;
}

/** EPIPE: a pipe without a reader. EIO: a terminal that was hung up. */
const goneCodes: ReadonlySet<unknown> = new Set(["EPIPE", "EIO", "ECONNRESET", "ERR_STREAM_DESTROYED"]);

/**
 * One of the CLI's own streams, written with back-pressure. Once it cannot be written any more, that is remembered and
 * told to `whenLost`; further bytes are dropped in silence, as a Unix tool would be ended.
 */
export class StreamWriter {
  readonly #stream: Writable;
  readonly #listeners = new Set<(lost: LostReader) => void>();
  #lost: LostReader | undefined;

  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (this.#lost !== undefined) return;
      this.#lost = { isGone: goneCodes.has(error.code), message: error.message };
      for (const listener of this.#listeners) listener(this.#lost);
    });
  }

  /** Undefined as long as it can be written. */
  get lost(): LostReader | undefined {
    return this.#lost;
  }

  whenLost(listener: (lost: LostReader) => void): void {
    if (this.#lost === undefined) this.#listeners.add(listener);
    else listener(this.#lost);
  }

  /** Writes, and waits while the reader is slower. Returns nothing to wait for when the stream took it at once. */
  write(data: string | Uint8Array): Promise<void> | undefined {
    if (this.#lost !== undefined || this.#stream.write(data)) return undefined;
    return new Promise((resolve) => {
      const done = (): void => {
        for (const event of ["drain", "error", "close"]) this.#stream.off(event, done);
        resolve();
      };
      for (const event of ["drain", "error", "close"]) this.#stream.once(event, done);
    });
  }

  line(text = ""): void {
    void this.write(`${text}\n`);
  }

  /** Waits until everything written so far has left the process. */
  async flush(): Promise<void> {
    if (this.#lost !== undefined || this.#stream.writableLength === 0) return;
    await new Promise<void>((resolve) => {
      this.#stream.once("error", () => {
        resolve();
      });
      this.#stream.write("", () => {
        resolve();
      });
    });
  }
}

import type { Writable } from "node:stream";

/** Calls back once when the reader of one of the CLI's streams is gone. */
export type ReaderGone = () => void;

/**
 * One of the CLI's own streams, written with back-pressure. A reader that went away (EPIPE, a terminal that was hung up)
 * is remembered and told to `whenReaderGone`; further bytes are dropped in silence, as a Unix tool would be ended.
 */
export class StreamWriter {
  readonly #stream: Writable;
  readonly #listeners = new Set<ReaderGone>();
  #readerGone = false;

  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on("error", () => {
      if (this.#readerGone) return;
      this.#readerGone = true;
      for (const listener of this.#listeners) listener();
    });
  }

  get readerGone(): boolean {
    return this.#readerGone;
  }

  whenReaderGone(listener: ReaderGone): void {
    if (this.#readerGone) listener();
    else this.#listeners.add(listener);
  }

  /** Writes, and waits while the reader is slower. Returns nothing to wait for when the stream took it at once. */
  write(data: string | Uint8Array): Promise<void> | undefined {
    if (this.#readerGone || this.#stream.write(data)) return undefined;
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
    if (this.#readerGone || this.#stream.writableLength === 0) return;
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

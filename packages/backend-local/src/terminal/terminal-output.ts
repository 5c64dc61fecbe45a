import { readSync } from "node:fs";
import { Readable } from "node:stream";
import { ReadStream } from "node:tty";

/** A pseudoterminal's buffers hold far less: beyond it, the writer is a process that goes on writing. */
const drainBytes = 1024 * 1024;

/**
 * The output of a terminal, whole and raw.
 *
 * Node's stream of a terminal loses the end of the output: after a hang-up libuv takes a read that did not fill its
 * 64 KiB buffer for the last one, and a terminal never gives more than 4 KiB at once. So when Node says "end", or when
 * the process has ended, what is left is read from the descriptor itself, which the kernel answers exactly.
 */
export class TerminalOutput {
  readonly stream: Readable;
  readonly #source: ReadStream;
  readonly #fd: number;
  readonly #onClose: () => void;
  #isOver = false;
  #isDiscarding = false;

  /** Takes over `fd`. `onClose` is called when nothing holds the other side any more. */
  constructor(fd: number, onClose: () => void) {
    this.#fd = fd;
    this.#onClose = onClose;
    this.#source = new ReadStream(fd);
    this.stream = new Readable({
      read: () => {
        if (!this.#isOver) this.#source.resume();
      },
      destroy: (error, done) => {
        // Closing the terminal would hang up on the process: who is not listening any more only stops listening.
        this.#isDiscarding = true;
        if (!this.#isOver) this.#source.resume();
        done(error);
      },
    });
    this.#source.on("data", (bytes: Buffer) => this.#push(bytes));
    // Emitted before the descriptor is closed.
    this.#source.once("end", () => this.#finish());
    // EIO is how Linux says that the last holder is gone, after all output has been read. By now `fd` is closed.
    this.#source.once("error", () => this.#end());
  }

  /** Reads all that has been written so far. Called when the process has ended. */
  drain(): void {
    if (this.#isOver) return;
    // What Node has read, but held back because the consumer is slower.
    for (let held: unknown = this.#source.read(); held !== null; held = this.#source.read())
      this.#push(held as Buffer);
    if (this.#readAll() === "end") this.#end();
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#readAll();
    this.#end();
  }

  #readAll(): "end" | "open" {
    for (let total = 0; total < drainBytes;) {
      const bytes = Buffer.allocUnsafe(4_096);
      let count: number;
      try {
        count = readSync(this.#fd, bytes);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === "EINTR") continue;
        // EAGAIN: a descendant still holds the terminal, and all that was written is in.
        return code === "EAGAIN" ? "open" : "end";
      }
      if (count === 0) return "end";
      total += count;
      this.#push(bytes.subarray(0, count));
    }
    return "open";
  }

  #push(bytes: Buffer): void {
    if (this.#isDiscarding || bytes.length === 0) return;
    if (!this.stream.push(bytes)) this.#source.pause();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#source.destroy();
    this.stream.push(null);
    this.#onClose();
  }
}

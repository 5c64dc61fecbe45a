import { Socket, type ConnectOpts, type SocketConstructorOpts } from "node:net";
import { Readable } from "node:stream";

/** Most bytes taken from a pipe at once. A quarter of a wide pipe: the writer goes on while they are handed over. */
const readBytes = 256 * 1024;

/**
 * The reading end of a pipe. Node reads at most 64 KiB at a time, and into fresh memory, which costs more than the bytes
 * themselves. Here one buffer serves all pipes of an environment: what was read is copied out before anybody else reads.
 */
export class PipeReadable extends Readable {
  readonly #socket: Socket;

  /**
   * @param fd belongs to the stream from here on
   * @param buffer shared by all readers of one event loop
   */
  constructor(fd: number, buffer: Uint8Array) {
    super({ highWaterMark: readBytes });
    // The published types know `onread` for connections only.
    const options: SocketConstructorOpts & Pick<ConnectOpts, "onread"> = {
      fd,
      readable: true,
      writable: false,
      onread: {
        buffer,
        callback: (length, bytes) => this.push(Buffer.from(bytes.subarray(0, length))),
      },
    };
    this.#socket = new Socket(options);
    this.#socket.on("end", () => this.push(null));
    this.#socket.on("error", (error) => this.destroy(error));
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (this.#socket.closed) done(error);
    else this.#socket.once("close", () => done(error)).destroy();
  }
}

/** The buffer that pipes are read into. */
export function makeReadBuffer(): Uint8Array {
  return Buffer.allocUnsafeSlow(readBytes);
}

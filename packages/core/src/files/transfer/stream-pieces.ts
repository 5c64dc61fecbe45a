import type { Readable, Writable } from "node:stream";

/** Read ahead of who consumes it: so much is worth keeping a reader of a pipe going. */
const aheadBytes = 1024 * 1024;

/**
 * What comes out of a stream, piece by piece, with back-pressure. Faster than iterating over the stream itself, which
 * stops its source at every piece. A stream that breaks just ends: who started the process knows why.
 */
export async function* streamPieces(stream: Readable): AsyncGenerator<Uint8Array> {
  let queue: Uint8Array[] = [];
  let queuedBytes = 0;
  let isEnded = stream.destroyed || stream.readableEnded;
  let wake: () => void = () => undefined;
  const onData = (bytes: Uint8Array): void => {
    queue.push(bytes);
    queuedBytes += bytes.length;
    if (queuedBytes >= aheadBytes) stream.pause();
    wake();
  };
  const onEnd = (): void => {
    isEnded = true;
    wake();
  };
  stream.on("data", onData).on("end", onEnd).on("close", onEnd).on("error", onEnd);
  try {
    for (;;) {
      if (queue.length === 0) {
        if (isEnded) return;
        await new Promise<void>((resolve) => (wake = resolve));
        continue;
      }
      const pieces = queue;
      queue = [];
      queuedBytes = 0;
      stream.resume();
      for (const piece of pieces) yield piece;
    }
  } finally {
    stream.off("data", onData).off("end", onEnd).off("close", onEnd).off("error", onEnd);
  }
}

/** Writes, and resolves when the stream is done with the bytes or with itself. Never rejects: a reader may leave early. */
export function writeThrough(stream: Writable, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off("close", done);
      resolve();
    };
    stream.once("close", done);
    stream.write(bytes, done);
  });
}

import type { Writable } from "node:stream";

/** Resolves when a stream that was full can take more, or never will again. */
export function untilDrained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off("drain", done).off("close", done).off("error", done);
      resolve();
    };
    stream.on("drain", done).on("close", done).on("error", done);
  });
}

/** Writes, and resolves when the stream can take more or will never again. Never rejects: a reader may leave early. */
export async function writeAndWait(stream: Writable, bytes: Uint8Array): Promise<void> {
  if (stream.writable && !stream.write(bytes)) await untilDrained(stream);
}

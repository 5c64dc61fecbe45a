import type { Writable } from "node:stream";

/** Writes, and resolves when the stream can take more or will never again. Never rejects: a reader may leave early. */
export async function writeAndWait(stream: Writable, bytes: Uint8Array): Promise<void> {
  if (!stream.writable || stream.write(bytes)) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      stream.off("drain", done).off("close", done).off("error", done);
      resolve();
    };
    stream.on("drain", done).on("close", done).on("error", done);
  });
}

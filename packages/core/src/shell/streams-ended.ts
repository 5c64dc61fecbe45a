import type { Readable } from "node:stream";

/** Resolves when a stream has ended or was given up. */
export function streamEnded(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.readableEnded || stream.destroyed) resolve();
    else stream.once("end", resolve).once("close", resolve);
  });
}

/** Resolves when all streams have ended, or after the time given: somebody else may hold them. */
export async function streamsEnded(streams: readonly Readable[], withinMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, withinMs);
  });
  await Promise.race([Promise.all(streams.map(streamEnded)), late]);
  clearTimeout(timer);
}

import type { JobChunk } from "@talaria/core";

/** All bytes of a log that is followed to its end. */
export async function joined(chunks: AsyncIterable<JobChunk>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const { bytes } of chunks) pieces.push(bytes);
  return Buffer.concat(pieces);
}

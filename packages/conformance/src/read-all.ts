import type { Readable } from "node:stream";

/** All bytes of a stream, until its end. */
export async function readAll(stream: Readable): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(Buffer.from(piece as Uint8Array));
  return Buffer.concat(pieces);
}

/** Bytes of a stream until they hold a text, or its end. Leaves the stream open. */
export async function readUntil(stream: Readable, text: string): Promise<string> {
  let seen = "";
  return new Promise((resolve, reject) => {
    const finish = (): void => {
      stream.off("data", onData);
      stream.off("end", finish);
      stream.off("error", reject);
      resolve(seen);
    };
    const onData = (piece: Uint8Array): void => {
      seen += Buffer.from(piece).toString("latin1");
      if (seen.includes(text)) finish();
    };
    stream.on("data", onData);
    stream.once("end", finish);
    stream.once("error", reject);
  });
}

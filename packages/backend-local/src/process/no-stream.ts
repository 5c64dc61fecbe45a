import { Readable, Writable } from "node:stream";

/** What a caller holds in place of a stream that the process has as a file. */
export function nothingToWrite(): Writable {
  const stream = new Writable({ write: (_bytes, _encoding, done) => done() });
  stream.end();
  return stream;
}

export function nothingToRead(): Readable {
  const stream = new Readable({ read: () => undefined });
  stream.push(null);
  return stream;
}

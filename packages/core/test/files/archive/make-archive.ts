import type { TarEntry } from "../../../src/files/archive/tar-entry.js";
import { paddingOf } from "../../../src/files/archive/tar-header.js";
import { tarEnd, tarHeaderBytes, writeTarHeader } from "../../../src/files/archive/tar-writer.js";

/** A member to put into an archive, with what is usual for the rest. */
export type Member = Partial<TarEntry> & Pick<TarEntry, "name"> & { readonly content?: string };

/** An archive of any members, hostile ones too. */
export function makeArchive(members: readonly Member[], end = true): Buffer {
  const parts = members.flatMap(({ content = "", ...member }) => {
    const body = Buffer.from(content, "latin1");
    const entry: TarEntry = {
      kind: "file",
      linkName: "",
      mode: 0o644,
      mtimeSeconds: 1_000_000_000,
      sizeBytes: body.length,
      ...member,
    };
    const header = Buffer.alloc(tarHeaderBytes(entry));
    writeTarHeader(header, 0, entry);
    return [header, body, Buffer.alloc(paddingOf(body.length))];
  });
  const whole = Buffer.concat(parts);
  return end ? Buffer.concat([whole, tarEnd(whole.length)]) : whole;
}

/** Bytes as a stream of pieces of one size. */
export async function* inPieces(bytes: Buffer, pieceBytes = 65_536): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { tarEnd, tarHeaderBytes, writeTarHeader } from "../files/archive/tar-writer.js";
import { paddingOf } from "../files/archive/tar-header.js";
import type { TarEntry } from "../files/archive/tar-entry.js";
import { TalariaError } from "../errors/talaria-error.js";
import { toShellBytes } from "../shell/shell-bytes.js";
import type { HostFile } from "./mirrored-file.js";
import { hostBytes } from "./scan-host.js";

const pieceBytes = 256 * 1024;

/** Thrown within a sync when a host file is no longer what the scan saw: the sync begins anew. */
export class HostChanged extends TalariaError {
  readonly path: string;
  constructor(path: string) {
    // One of Talaria's own comes through a command's standard input as it is.
    super("cache_sync", `${path} changed while it was sent.`, { operation: "cache.sync" });
    this.path = path;
  }
}

/** The content of a host file, byte for byte what was hashed. Throws HostChanged when it is not. */
export async function* contentOf(talariaHome: string, file: HostFile): AsyncGenerator<Buffer> {
  const digest = createHash("sha256");
  let rest = file.sizeBytes;
  try {
    // An empty file has no last byte to read up to.
    const stream = createReadStream(hostBytes(talariaHome, file.path), {
      highWaterMark: pieceBytes,
      end: Math.max(0, rest - 1),
    });
    for await (const piece of stream as AsyncIterable<Buffer>) {
      rest -= piece.length;
      if (rest < 0) break;
      digest.update(piece);
      yield piece;
    }
  } catch {
    throw new HostChanged(file.path);
  }
  if (rest !== 0 || digest.digest("hex") !== file.hash) throw new HostChanged(file.path);
}

/** Files as one tar archive, in constant memory. Folders have to be there already. */
export async function* tarOf(talariaHome: string, files: readonly HostFile[]): AsyncGenerator<Buffer> {
  let written = 0;
  for (const file of files) {
    const entry: TarEntry = {
      kind: "file",
      name: toShellBytes(file.path),
      linkName: "",
      sizeBytes: file.sizeBytes,
      mode: file.mode,
      mtimeSeconds: Math.floor(Date.now() / 1000),
    };
    const header = Buffer.alloc(tarHeaderBytes(entry));
    writeTarHeader(header, 0, entry);
    yield header;
    yield* contentOf(talariaHome, file);
    const padding = paddingOf(file.sizeBytes);
    if (padding > 0) yield Buffer.alloc(padding);
    written += header.length + file.sizeBytes + padding;
  }
  yield tarEnd(written);
}

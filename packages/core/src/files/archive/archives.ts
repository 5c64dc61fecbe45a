import type { ArchiveOptions, ArchiveResult } from "./archive-file.js";

/**
 * Packs what is in a directory of this machine into a tar archive, compressed when its name ends in `.gz` or `.tgz`.
 * The archive appears when it is whole. Throws FileError.
 */
export async function createArchive(
  directory: string | Uint8Array,
  archive: string | Uint8Array,
  options: ArchiveOptions = {},
): Promise<ArchiveResult> {
  const file = await import("./archive-file.js");
  return file.createArchive(directory, archive, options);
}

/**
 * Extracts a tar archive, gzipped or not, into a directory of this machine, which is made when it is not there. The
 * archive, a path or a stream of its bytes, is not trusted: what would leave the directory is refused with the entry
 * named, limits count what comes out of the compression, and nothing is written unless all of it is good. Throws
 * FileError.
 */
export async function extractArchive(
  archive: string | Uint8Array | AsyncIterable<Uint8Array>,
  directory: string | Uint8Array,
  options: ArchiveOptions = {},
): Promise<ArchiveResult> {
  const file = await import("./archive-file.js");
  return file.extractArchive(archive, directory, options);
}

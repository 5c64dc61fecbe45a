import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { Readable } from "node:stream";
import { createGunzip, createGzip } from "node:zlib";
import { fromShellBytes } from "../../shell/shell-bytes.js";
import { readExclusion } from "../transfer/exclude.js";
import { GrowingFile } from "../transfer/write-host-file.js";
import { archiveError } from "./archive-error.js";
import type { ArchiveLimits } from "./archive-limits.js";
import { ArchiveRules } from "./archive-rules.js";
import { createTree } from "./create-tree.js";
import { extractTree } from "./extract-tree.js";
import { toFsPath } from "./host-directory.js";
import { hostFileError } from "./host-file-error.js";
import { hostTargetPath, HostTreeStage } from "./host-stage.js";
import { hostPathBytes, lastName, resolveHostTarget } from "./resolve-host-target.js";
import { TreeReport, type SkippedEntry } from "./tree-report.js";

/** Options of `createArchive` and `extractArchive`. */
export interface ArchiveOptions {
  /** As `exclude` of a transfer. */
  readonly exclude?: readonly string[] | undefined;
  readonly limits?: ArchiveLimits | undefined;
  /** As `outsideLinks` of a transfer. Default `refuse`. */
  readonly outsideLinks?: "refuse" | "skip" | undefined;
  /** Replace files that are there. Default true. */
  readonly overwrite?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What is in an archive that was made or extracted. */
export interface ArchiveResult {
  /** The archive that was made, or the directory that was extracted to. */
  readonly path: string;
  readonly bytes: number;
  readonly files: number;
  readonly directories: number;
  readonly links: number;
  readonly skipped: readonly SkippedEntry[];
  readonly skippedCount: number;
  readonly notes: readonly string[];
}

/**
 * Packs what is in a directory of this machine into a tar archive, compressed when its name ends in `.gz` or `.tgz`.
 * The archive appears when it is whole. Throws FileError.
 */
export async function createArchive(
  directory: string | Uint8Array,
  archive: string | Uint8Array,
  options: ArchiveOptions = {},
): Promise<ArchiveResult> {
  const source = hostPathBytes(directory, "directory");
  const wanted = hostPathBytes(archive, "archive");
  const target = resolveHostTarget(wanted, lastName(wanted), "file", options.overwrite ?? true);
  const report = new TreeReport();
  const exclusion = readExclusion(options.exclude);
  const file = await GrowingFile.make(target);
  try {
    const tree = createTree(source, {
      report,
      limits: options.limits,
      excludes: exclusion?.matches,
      signal: options.signal,
    });
    const write = async (bytes: AsyncIterable<Uint8Array>): Promise<void> => {
      for await (const piece of bytes) await file.write(piece);
    };
    if (/\.t?gz$/.test(wanted)) await pipeline(Readable.from(tree), createGzip(), write);
    else await write(tree);
    await file.publish(0o644, Date.now());
  } catch (error) {
    await file.remove();
    throw error;
  }
  return resultOf(hostTargetPath(target), report);
}

/**
 * Extracts a tar archive, gzipped or not, into a directory of this machine, which is made when it is not there. The
 * archive is not trusted: what would leave the directory is refused with the entry named, limits count what comes out of
 * the compression, and nothing is written unless all of it is good. Throws FileError.
 *
 * @param archive a path, or the bytes themselves as a stream
 */
export async function extractArchive(
  archive: string | Uint8Array | AsyncIterable<Uint8Array>,
  directory: string | Uint8Array,
  options: ArchiveOptions = {},
): Promise<ArchiveResult> {
  const target = resolveHostTarget(
    hostPathBytes(directory, "directory"),
    "",
    "tree",
    options.overwrite ?? true,
  );
  const report = new TreeReport();
  const rules = new ArchiveRules({ ...options, excludes: readExclusion(options.exclude)?.matches });
  const bytes = isStream(archive) ? archive : readArchive(hostPathBytes(archive, "archive"));
  const stage = new HostTreeStage(target);
  try {
    await extractTree(decompressed(bytes), stage.path, { rules, report, signal: options.signal });
    stage.publish(report.topMode ?? 0o755, options.overwrite ?? true);
  } catch (error) {
    stage.remove();
    throw error;
  }
  return resultOf(hostTargetPath(target), report);
}

function isStream(
  archive: string | Uint8Array | AsyncIterable<Uint8Array>,
): archive is AsyncIterable<Uint8Array> {
  return typeof archive === "object" && Symbol.asyncIterator in archive;
}

async function* readArchive(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(toFsPath(path), { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw hostFileError(path, "extract", error);
  }
}

/** What begins as gzip does is decompressed. */
async function* decompressed(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces = chunks[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  let isEnded = false;
  while (head.length < 2 && !isEnded) {
    const piece = await pieces.next();
    if (piece.done === true) isEnded = true;
    else head = Buffer.concat([head, piece.value]);
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    if (head.length > 0) yield head;
    for (; !isEnded;) {
      const piece = await pieces.next();
      if (piece.done === true) return;
      yield piece.value;
    }
  }
  if (head[0] !== 0x1f || head[1] !== 0x8b) {
    yield* all();
    return;
  }
  const gunzip = createGunzip();
  const feeding = pipeline(Readable.from(all()), gunzip);
  // An error of it arrives below as well, by the stream that it feeds.
  feeding.catch(() => undefined);
  try {
    yield* gunzip as AsyncIterable<Buffer>;
  } catch (error) {
    throw archiveError("invalid", "is damaged: its compression cannot be undone", error);
  } finally {
    gunzip.destroy();
  }
}

function resultOf(path: string, report: TreeReport): ArchiveResult {
  const { bytes, files, directories, links, skipped, skippedCount, notes } = report;
  return { path: fromShellBytes(path), bytes, files, directories, links, skipped, skippedCount, notes };
}

import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  futimesSync,
  linkSync,
  lstatSync,
  lutimesSync,
  openSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  write,
  writeSync,
} from "node:fs";
import { promisify } from "node:util";
import type { FileError } from "../../errors/errors.js";
import { entryError, showName } from "./archive-error.js";
import type { ArchiveRules } from "./archive-rules.js";
import { DirectoryPath } from "./directory-path.js";
import { HostDirectory, toFsPath } from "./host-directory.js";
import { hostFileError } from "./host-file-error.js";
import type { TarEntry } from "./tar-entry.js";
import { TarReader } from "./tar-reader.js";
import type { TreeReport } from "./tree-report.js";

const writeAsync = promisify(write);
const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
/** A file of this size or more is written without holding up the event loop. */
const asyncFromBytes = 1024 * 1024;

export interface ExtractTreeOptions {
  readonly rules: ArchiveRules;
  readonly report: TreeReport;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Extracts a stream of tar into an empty, private directory of this machine. What may be in it is up to the rules;
 * besides, nothing is written through a link on the disk, whoever made it: directories are opened one by one as what
 * they are, files are made anew. The bits for set-user-id, set-group-id and sticky are dropped.
 *
 * @param path of the directory; bytes, one character each
 */
export async function extractTree(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
  options: ExtractTreeOptions,
): Promise<void> {
  const top = HostDirectory.open(path);
  const extraction = new Extraction(top, options);
  const reader = new TarReader();
  try {
    for await (const chunk of chunks) {
      options.signal?.throwIfAborted();
      reader.push(chunk);
      for (let event = reader.next(); event !== undefined; event = reader.next()) {
        if (event.kind === "entry") extraction.begin(event.entry);
        else {
          const writing = extraction.write(event.bytes);
          if (writing !== undefined) await writing;
        }
      }
    }
    reader.finish();
    extraction.finish();
  } finally {
    extraction.close();
    top.close();
  }
}

class Extraction {
  readonly #top: HostDirectory;
  readonly #path: DirectoryPath;
  readonly #options: ExtractTreeOptions;
  /** The file that is being written. */
  #file: { readonly entry: TarEntry; readonly fd: number; left: number } | undefined;
  /** Set when all is in, from the deepest up: making a file in a directory changes its time, or is not allowed. */
  readonly #directories = new Map<string, { readonly parts: readonly string[]; readonly entry: TarEntry }>();

  constructor(top: HostDirectory, options: ExtractTreeOptions) {
    this.#top = top;
    this.#path = new DirectoryPath(top);
    this.#options = options;
  }

  begin(entry: TarEntry): void {
    const { rules, report } = this.#options;
    const verdict = rules.judge(entry);
    if (verdict.kind === "skip") report.skip(entry.name, verdict.reason);
    if (verdict.kind !== "take") return;
    if (entry.kind !== "directory") report.add(entry);
    if ((entry.mode & 0o7000) !== 0 && entry.kind !== "symlink") report.dropBits(entry);
    try {
      this.#make(entry, verdict.parts, verdict.linkParts ?? []);
    } catch (error) {
      throw explain(entry, error);
    }
  }

  /** Undefined when it is done already. */
  write(bytes: Buffer): Promise<void> | undefined {
    const file = this.#file;
    if (file === undefined) return undefined;
    this.#options.report.addBytes(bytes.length);
    file.left -= bytes.length;
    if (file.entry.sizeBytes < asyncFromBytes) {
      try {
        for (let at = 0; at < bytes.length;) at += writeSync(file.fd, bytes, at);
        if (file.left === 0) this.#endFile();
      } catch (error) {
        throw explain(file.entry, error);
      }
      return undefined;
    }
    return this.#writeLarge(file, bytes);
  }

  /** After the last member. */
  finish(): void {
    const deepestFirst = [...this.#directories.values()].sort(
      (one, other) => other.parts.length - one.parts.length,
    );
    for (const { parts, entry } of deepestFirst) {
      try {
        const parent = this.#path.enter(parts, Math.max(0, parts.length - 1), false);
        const name = parts.at(-1);
        // The top keeps its time for later: it is not yet where it belongs.
        const target = name === undefined ? this.#top.self : parent.at(name);
        utimesSync(target, entry.mtimeSeconds, entry.mtimeSeconds);
        if (name !== undefined) chmodSync(target, entry.mode & 0o777);
        else this.#options.report.topMode = entry.mode & 0o777;
      } catch (error) {
        throw explain(entry, error);
      }
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file.fd);
    this.#file = undefined;
    this.#path.close();
  }

  #make(entry: TarEntry, parts: readonly string[], linkParts: readonly string[]): void {
    const name = parts.at(-1);
    if (entry.kind === "directory") {
      this.#path.enter(parts, parts.length, true);
      const key = parts.join("/");
      if (!this.#directories.has(key) && name !== undefined) this.#options.report.add(entry);
      this.#directories.set(key, { parts, entry });
      return;
    }
    if (name === undefined) return;
    const target = this.#path.enter(parts, parts.length - 1, true).at(name);
    if (entry.kind === "file") this.#beginFile(entry, target);
    else if (entry.kind === "symlink") {
      replacing(target, () => symlinkSync(toFsPath(entry.linkName), target));
      lutimesSync(target, entry.mtimeSeconds, entry.mtimeSeconds);
    } else this.#makeHardLink(entry, target, linkParts);
  }

  #beginFile(entry: TarEntry, target: string | Buffer): void {
    const mode = entry.mode & 0o777;
    let fd = -1;
    replacing(target, () => (fd = openSync(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)));
    this.#file = { entry, fd, left: entry.sizeBytes };
    if (entry.sizeBytes === 0) this.#endFile();
  }

  #endFile(): void {
    const file = this.#file;
    if (file === undefined) return;
    this.#file = undefined;
    try {
      // The mode it was made with went through this process's umask.
      fchmodSync(file.fd, file.entry.mode & 0o777);
      futimesSync(file.fd, file.entry.mtimeSeconds, file.entry.mtimeSeconds);
    } finally {
      closeSync(file.fd);
    }
  }

  async #writeLarge(file: { readonly entry: TarEntry; readonly fd: number; left: number }, bytes: Buffer) {
    try {
      for (let at = 0; at < bytes.length;) {
        at += (await writeAsync(file.fd, bytes, at, bytes.length - at)).bytesWritten;
      }
      if (file.left === 0) this.#endFile();
    } catch (error) {
      throw explain(file.entry, error);
    }
  }

  #makeHardLink(entry: TarEntry, target: string | Buffer, linkParts: readonly string[]): void {
    const name = linkParts.at(-1);
    const path = new DirectoryPath(this.#top);
    try {
      const from =
        name === undefined ? undefined : path.enter(linkParts, linkParts.length - 1, false).at(name);
      const found = from === undefined ? undefined : lstatSync(from, { throwIfNoEntry: false });
      if (from === undefined || found?.isFile() !== true) throw noSuchFile(entry);
      replacing(target, () => linkSync(from, target));
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === "ENOENT" ? noSuchFile(entry) : error;
    } finally {
      path.close();
    }
  }
}

function noSuchFile(entry: TarEntry): FileError {
  return entryError(
    entry.name,
    "refused",
    `is a hard link to ${showName(entry.linkName)}, which is no file of this archive`,
  );
}

/** Makes a name anew. What the archive made before under that name goes, unless it is a directory. */
function replacing(target: string | Buffer, make: () => void): void {
  try {
    make();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    unlinkSync(target);
    make();
  }
}

function explain(entry: TarEntry, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ELOOP" || code === "ENOTDIR") {
    return entryError(entry.name, "refused", "goes through a link or a file in place of a directory");
  }
  if (code === "EISDIR" || (code === "EPERM" && entry.kind !== "file") || code === "EEXIST") {
    return entryError(entry.name, "refused", "takes the place of a directory that the archive made");
  }
  return hostFileError(entry.name, "extract", error);
}

import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  read,
  readdirSync,
  readlinkSync,
  readSync,
  type Stats,
} from "node:fs";
import { promisify } from "node:util";
import { FileError } from "../../errors/errors.js";
import { fromShellBytes } from "../../shell/shell-bytes.js";
import { showName } from "./archive-error.js";
import { completeLimits, type ArchiveLimits, type CompleteLimits } from "./archive-limits.js";
import { HostDirectory } from "./host-directory.js";
import { hostFileError } from "./host-file-error.js";
import type { TarEntry } from "./tar-entry.js";
import { paddingOf } from "./tar-header.js";
import { tarEnd, tarHeaderBytes, writeTarHeader } from "./tar-writer.js";
import type { TreeReport } from "./tree-report.js";

const readAsync = promisify(read);
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
/** What is gathered before it is handed on: small files by the dozen, large ones in pieces. */
const slabBytes = 256 * 1024;

export interface CreateTreeOptions {
  /** Bytes in front of every name: `tree/`. Default none. */
  readonly prefix?: string | undefined;
  readonly report: TreeReport;
  readonly limits?: ArchiveLimits | undefined;
  /** Path relative to the tree, bytes: left out with all below it. */
  readonly excludes?: ((path: string) => boolean) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Members to put behind the tree. */
  readonly last?: readonly TarEntry[] | undefined;
}

/**
 * Makes a tar archive of a directory of this machine, its top included as `./` behind the prefix. Links stay links and
 * are never followed, hard links stay so among each other; sockets, pipes and devices are reported and left out. Throws
 * FileError for what cannot be read, and when a file gets shorter while it is read.
 *
 * @param path bytes, one character each
 */
export async function* createTree(path: string, options: CreateTreeOptions): AsyncGenerator<Buffer> {
  const walk = new TreeWalk(options);
  let top: HostDirectory;
  try {
    top = HostDirectory.open(path);
  } catch (error) {
    throw hostFileError(path, "upload", error);
  }
  try {
    yield* walk.directory(top, "", fstatSync(top.fd));
  } catch (error) {
    throw hostFileError(path, "upload", error);
  } finally {
    top.close();
  }
  yield walk.end(options.last ?? []);
}

class TreeWalk {
  readonly #options: CreateTreeOptions;
  readonly #limits: CompleteLimits;
  #slab = Buffer.allocUnsafeSlow(slabBytes);
  #filled = 0;
  #written = 0;
  #entries = 0;
  /** The first name of each file that has several. */
  readonly #names = new Map<string, string>();

  constructor(options: CreateTreeOptions) {
    this.#options = options;
    this.#limits = completeLimits(options.limits);
  }

  async *directory(directory: HostDirectory, path: string, stats: Stats): AsyncGenerator<Buffer> {
    const { excludes, report, signal } = this.#options;
    const full = this.#header(path === "" ? "./" : `${path}/`, "directory", stats, 0, "");
    if (full !== undefined) yield full;
    const names = readdirSync(directory.self, "latin1").sort();
    for (const name of names) {
      signal?.throwIfAborted();
      const child = path === "" ? name : `${path}/${name}`;
      if (excludes?.(child) === true) continue;
      try {
        const found = lstatSync(directory.at(name), { throwIfNoEntry: false });
        if (found === undefined) report.skip(child, "removed meanwhile");
        else if (found.isDirectory()) {
          this.#assertDepth(child);
          const opened = directory.openChild(name);
          try {
            yield* this.directory(opened, child, fstatSync(opened.fd));
          } finally {
            opened.close();
          }
        } else if (found.isFile()) {
          if (found.nlink > 1 || found.size > slabBytes / 2)
            yield* this.#largeFile(directory, name, child, found);
          else {
            const slab = this.#smallFile(directory, name, child, found);
            if (slab !== undefined) yield slab;
          }
        } else if (found.isSymbolicLink()) {
          const target = readlinkSync(directory.at(name), "latin1");
          const slab = this.#header(child, "symlink", found, 0, target);
          if (slab !== undefined) yield slab;
        } else report.skip(child, describe(found));
      } catch (error) {
        throw hostFileError(child, "upload", error);
      }
    }
  }

  end(last: readonly TarEntry[]): Buffer {
    const parts = last.map((entry) => {
      const header = Buffer.alloc(tarHeaderBytes(entry));
      writeTarHeader(header, 0, entry);
      return header;
    });
    const rest = Buffer.concat([this.#slab.subarray(0, this.#filled), ...parts]);
    return Buffer.concat([rest, tarEnd(this.#written + rest.length)]);
  }

  /** Puts a header into the slab; gives back a full one, to be handed on first. */
  #header(
    name: string,
    kind: TarEntry["kind"],
    stats: Stats,
    sizeBytes: number,
    linkName: string,
  ): Buffer | undefined {
    this.#count(name, sizeBytes, linkName);
    const entry: TarEntry = {
      kind,
      name: `${this.#options.prefix ?? ""}${name === "./" && this.#options.prefix ? "" : name}`,
      linkName: kind === "hardlink" ? `${this.#options.prefix ?? ""}${linkName}` : linkName,
      sizeBytes,
      mode: stats.mode & 0o777,
      mtimeSeconds: Math.floor(stats.mtimeMs / 1000),
    };
    if (name !== "./") this.#options.report.add({ ...entry, name });
    if (kind !== "symlink" && (stats.mode & 0o6000) !== 0) this.#options.report.dropBits(entry);
    const full = this.#reserve(tarHeaderBytes(entry));
    this.#filled = writeTarHeader(this.#slab, this.#filled, entry);
    return full;
  }

  /** A file that fits into the slab with its header: read straight to its place. */
  #smallFile(directory: HostDirectory, name: string, path: string, found: Stats): Buffer | undefined {
    const fd = this.#open(directory, name, path, found);
    try {
      const full = this.#header(path, "file", found, found.size, "");
      const more = this.#reserve(found.size + paddingOf(found.size));
      const begin = this.#filled;
      let at = begin;
      const end = begin + found.size;
      while (at < end) {
        const count = readSync(fd, this.#slab, at, end - at, null);
        if (count === 0) throw shorter(path);
        at += count;
      }
      this.#filled = end + paddingOf(found.size);
      this.#slab.fill(0, end, this.#filled);
      this.#options.report.addBytes(found.size);
      return full === undefined ? more : more === undefined ? full : Buffer.concat([full, more]);
    } finally {
      closeSync(fd);
    }
  }

  async *#largeFile(
    directory: HostDirectory,
    name: string,
    path: string,
    found: Stats,
  ): AsyncGenerator<Buffer> {
    const key = `${found.dev}:${found.ino}`;
    const first = found.nlink > 1 ? this.#names.get(key) : undefined;
    if (first !== undefined) {
      const full = this.#header(path, "hardlink", found, 0, first);
      if (full !== undefined) yield full;
      return;
    }
    if (found.nlink > 1) this.#names.set(key, path);
    const fd = this.#open(directory, name, path, found);
    try {
      const full = this.#header(path, "file", found, found.size, "");
      if (full !== undefined) yield full;
      for (let left = found.size; left > 0;) {
        if (this.#filled === this.#slab.length) yield this.#flush();
        const most = Math.min(left, this.#slab.length - this.#filled);
        const { bytesRead } = await readAsync(fd, this.#slab, this.#filled, most, null);
        if (bytesRead === 0) throw shorter(path);
        this.#filled += bytesRead;
        left -= bytesRead;
        this.#options.report.addBytes(bytesRead);
        this.#options.signal?.throwIfAborted();
      }
      const padding = paddingOf(found.size);
      const more = this.#reserve(padding);
      this.#slab.fill(0, this.#filled, this.#filled + padding);
      this.#filled += padding;
      if (more !== undefined) yield more;
    } finally {
      closeSync(fd);
    }
  }

  #open(directory: HostDirectory, name: string, path: string, found: Stats): number {
    // Whoever puts a pipe there meanwhile must not make this wait.
    const fd = openSync(directory.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const opened = fstatSync(fd);
    if (opened.isFile() && opened.ino === found.ino && opened.dev === found.dev) return fd;
    closeSync(fd);
    throw new FileError(
      fromShellBytes(path),
      "changed",
      `${showName(path)} was replaced while it was read.`,
      {
        operation: "upload",
        hint: "Nothing was changed in the sandbox. Try again when nobody works on the tree.",
      },
    );
  }

  /** Makes room in the slab. What was in it is returned when there was none: it has to be handed on. */
  #reserve(bytes: number): Buffer | undefined {
    if (this.#filled + bytes <= this.#slab.length) return undefined;
    return this.#flush();
  }

  #flush(): Buffer {
    const full = this.#slab.subarray(0, this.#filled);
    this.#written += full.length;
    // Who was given the last one may still be sending it.
    this.#slab = Buffer.allocUnsafeSlow(slabBytes);
    this.#filled = 0;
    return full;
  }

  #count(name: string, sizeBytes: number, linkName: string): void {
    this.#entries += 1;
    const { maxBytes, maxEntries, maxNameBytes } = this.#limits;
    const problem =
      this.#entries > maxEntries
        ? (["maxEntries", `more than ${maxEntries} entries`] as const)
        : this.#options.report.bytes + sizeBytes > maxBytes
          ? (["maxBytes", `more than ${maxBytes} bytes`] as const)
          : Math.max(name.length, linkName.length) > maxNameBytes
            ? (["maxNameBytes", `a name of more than ${maxNameBytes} bytes`] as const)
            : undefined;
    if (problem !== undefined) throw overLimit(name, problem[0], problem[1]);
  }

  #assertDepth(path: string): void {
    const { maxDepth } = this.#limits;
    if (path.split("/").length > maxDepth) {
      throw overLimit(path, "maxDepth", `more than ${maxDepth} directories within each other`);
    }
  }
}

function overLimit(path: string, limit: string, words: string): FileError {
  return new FileError(fromShellBytes(path), "too_large", `The tree has ${words}, at ${showName(path)}.`, {
    operation: "upload",
    hint: `Leave something out by \`exclude\`, or raise \`limits.${limit}\`.`,
  });
}

function shorter(path: string): FileError {
  return new FileError(fromShellBytes(path), "changed", `${showName(path)} got shorter while it was read.`, {
    operation: "upload",
    hint: "Nothing was changed in the sandbox. Try again when nobody works on the file.",
  });
}

function describe(stats: Stats): string {
  if (stats.isSocket()) return "a socket";
  if (stats.isFIFO()) return "a named pipe";
  return "a device";
}

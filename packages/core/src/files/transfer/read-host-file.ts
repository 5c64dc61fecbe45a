import { createHash } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import { constants, type Stats } from "node:fs";
import { FileError } from "../../errors/errors.js";
import { fromShellBytes } from "../../shell/shell-bytes.js";
import { showName } from "../archive/archive-error.js";
import { toFsPath } from "../archive/host-directory.js";
import { hostFileError } from "../archive/host-file-error.js";

/** Read at once: the next piece is read while this one is sent. */
const pieceBytes = 512 * 1024;
/** Files of /proc and the like say that they are empty. So much of them is read to see how long they are. */
const unsizedBytes = 4 * 1024 * 1024;

/** A file of this machine that is read once, from its beginning to the size it had when it was opened. */
export class HostFile {
  readonly stats: Stats;
  readonly sizeBytes: number;
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #known: Buffer | undefined;

  /** @param path bytes, one character each. A link is followed. Throws FileError when it is no regular file. */
  static async open(path: string): Promise<HostFile> {
    let handle: FileHandle;
    try {
      handle = await open(toFsPath(path), constants.O_RDONLY | constants.O_NONBLOCK);
    } catch (error) {
      throw hostFileError(path, "upload", error);
    }
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) {
        throw new FileError(
          fromShellBytes(path),
          stats.isDirectory() ? "is_directory" : "not_regular",
          `${showName(path)} on this machine is neither a file nor a directory.`,
          { operation: "upload" },
        );
      }
      return new HostFile(path, handle, stats, stats.size === 0 ? await readShort(handle, path) : undefined);
    } catch (error) {
      await handle.close();
      throw hostFileError(path, "upload", error);
    }
  }

  private constructor(path: string, handle: FileHandle, stats: Stats, known: Buffer | undefined) {
    this.#path = path;
    this.#handle = handle;
    this.stats = stats;
    this.#known = known;
    this.sizeBytes = known?.length ?? stats.size;
  }

  /** An open file at its beginning, to be read by another; undefined for one that does not tell its size. */
  get descriptor(): number | undefined {
    return this.#known === undefined ? this.#handle.fd : undefined;
  }

  /** The error for a file that does not keep still. */
  changed(how: "shorter" | "longer"): FileError {
    return new FileError(
      fromShellBytes(this.#path),
      "changed",
      `${showName(this.#path)} got ${how} while it was read.`,
      { operation: "upload", hint: "Nothing was changed in the sandbox. Try again." },
    );
  }

  /** Its bytes. Each piece is good until the one after the next is asked for. Throws FileError (`changed`) when it shrank. */
  async *read(): AsyncGenerator<Buffer> {
    if (this.#known !== undefined) {
      if (this.#known.length > 0) yield this.#known;
      return;
    }
    const buffers = [0, 1, 2].map(() => Buffer.allocUnsafeSlow(Math.min(pieceBytes, this.sizeBytes)));
    let position = 0;
    const next = async (index: number): Promise<Buffer> => {
      const buffer = buffers[index % buffers.length] ?? Buffer.alloc(0);
      const most = Math.min(buffer.length, this.sizeBytes - position);
      const { bytesRead } = await this.#handle.read(buffer, 0, most, position);
      position += bytesRead;
      return buffer.subarray(0, bytesRead);
    };
    let reading: Promise<Buffer> | undefined;
    try {
      for (let index = 0, done = 0; done < this.sizeBytes; index++) {
        reading ??= next(index);
        const piece = await reading;
        reading = undefined;
        if (piece.length === 0) throw this.changed("shorter");
        done += piece.length;
        if (done < this.sizeBytes) {
          reading = next(index + 1);
          // Looked at in the next round, or never when the transfer ends before.
          reading.catch(() => undefined);
        }
        yield piece;
      }
    } catch (error) {
      throw hostFileError(this.#path, "upload", error);
    } finally {
      // The handle must not be closed under a read.
      await reading?.catch(() => undefined);
    }
  }

  /** Its SHA-256, in hexadecimal. */
  async digest(signal: AbortSignal | undefined): Promise<string> {
    const hash = createHash("sha256");
    for await (const piece of this.read()) {
      signal?.throwIfAborted();
      hash.update(piece);
    }
    return hash.digest("hex");
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

/** The content of a file that says it is empty. */
async function readShort(handle: FileHandle, path: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let total = 0; ;) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(64 * 1024), 0, 64 * 1024, null);
    if (bytesRead === 0) return Buffer.concat(parts);
    parts.push(buffer.subarray(0, bytesRead));
    total += bytesRead;
    if (total > unsizedBytes) {
      throw new FileError(
        fromShellBytes(path),
        "too_large",
        `${showName(path)} does not tell its size and has more than ${unsizedBytes} bytes.`,
        { operation: "upload", hint: "Copy it to an ordinary file first." },
      );
    }
  }
}

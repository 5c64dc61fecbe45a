import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open, rename, unlink, type FileHandle } from "node:fs/promises";
import { toFsPath } from "../archive/host-directory.js";
import { hostFileError } from "../archive/host-file-error.js";
import { hostTargetPath, stageName, type HostTarget } from "../archive/host-stage.js";

/** Gathered before it is written: what comes out of a pipe comes in small pieces. */
const gatherBytes = 1024 * 1024;
const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

/** A file of this machine that grows under a name of its own, and gets its real one when it is whole. */
export class GrowingFile {
  readonly #target: string;
  readonly #path: string;
  readonly #handle: FileHandle;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #writing: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;

  static async make(target: HostTarget): Promise<GrowingFile> {
    const path = `${target.parent}/${stageName()}`;
    try {
      const handle = await open(toFsPath(path), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
      return new GrowingFile(hostTargetPath(target), path, handle);
    } catch (error) {
      throw hostFileError(target.parent, "download", error);
    }
  }

  private constructor(target: string, path: string, handle: FileHandle) {
    this.#target = target;
    this.#path = path;
    this.#handle = handle;
  }

  /** Takes bytes, which must not change any more. Waits when it is two writes behind. */
  async write(bytes: Uint8Array): Promise<void> {
    this.#pending.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes < gatherBytes) return;
    await this.#writing;
    this.#throwFailure();
    this.#flush();
  }

  /** The open file, empty and at its beginning, to be written by another instead of by `write`. */
  get descriptor(): number {
    return this.#handle.fd;
  }

  /** How large the file is by now. */
  async sizeBytes(): Promise<number> {
    return (await this.#handle.stat()).size;
  }

  /** The SHA-256 of what is in it, in hexadecimal. */
  async digest(signal: AbortSignal | undefined): Promise<string> {
    const hash = createHash("sha256");
    const buffer = Buffer.allocUnsafeSlow(gatherBytes);
    for (let position = 0; ;) {
      signal?.throwIfAborted();
      const { bytesRead } = await this.#handle.read(buffer, 0, buffer.length, position);
      if (bytesRead === 0) return hash.digest("hex");
      hash.update(buffer.subarray(0, bytesRead));
      position += bytesRead;
    }
  }

  /** Everything that was given is in the file, with its mode and time, and the file is in its place. */
  async publish(mode: number, modifiedMs: number): Promise<void> {
    try {
      await this.#writing;
      this.#throwFailure();
      this.#flush();
      await this.#writing;
      this.#throwFailure();
      await this.#handle.chmod(mode & 0o777);
      await this.#handle.utimes(modifiedMs / 1000, modifiedMs / 1000);
      await this.#handle.close();
      await rename(toFsPath(this.#path), toFsPath(this.#target));
    } catch (error) {
      throw hostFileError(this.#target, "download", error);
    }
  }

  /** Removes it. Does nothing after a `publish` that succeeded. */
  async remove(): Promise<void> {
    await this.#writing;
    await this.#handle.close().catch(() => undefined);
    await unlink(toFsPath(this.#path)).catch(() => undefined);
  }

  #flush(): void {
    const parts = this.#pending;
    this.#pending = [];
    this.#pendingBytes = 0;
    if (parts.length === 0) return;
    this.#writing = this.#writeAll(parts).catch((error: unknown) => {
      this.#failure = { error };
    });
  }

  async #writeAll(parts: Buffer[]): Promise<void> {
    let left = parts;
    while (left.length > 0) {
      let { bytesWritten } = await this.#handle.writev(left);
      // A disk that is nearly full takes a part of it, and says so only next time.
      while (left[0] !== undefined && bytesWritten >= left[0].length) {
        bytesWritten -= left[0].length;
        left = left.slice(1);
      }
      if (left[0] !== undefined && bytesWritten > 0)
        left = [left[0].subarray(bytesWritten), ...left.slice(1)];
    }
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw hostFileError(this.#target, "download", this.#failure.error);
  }
}

import type { BigIntStats, Dirent } from "node:fs";
import { access, constants, lstat, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { fromShellBytes, toShellBytes } from "../shell/shell-bytes.js";
import { CacheSyncError } from "./cache-sync-error.js";
import type { HashMemory } from "./hash-memory.js";
import type { HostFile } from "./mirrored-file.js";
import type { SkippedFile } from "./sync-report.js";

/** What the host has for the sandbox. */
export interface HostTree {
  /** By path. */
  readonly files: ReadonlyMap<string, HostFile>;
  /** At most 100. */
  readonly skipped: readonly SkippedFile[];
  readonly skippedFiles: number;
}

export interface ScanOptions {
  /** Without links on its way. */
  readonly talariaHome: string;
  readonly credentialFiles: readonly string[];
  readonly hashes: HashMemory;
  readonly maxFiles: number;
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** The folder below `<TALARIA_HOME>` and below the base that is mirrored. */
export const cacheFolder = "cache";
/** A folder with a file of this name is left out, with all below it. */
const leaveOutName = ".nosync";
/** Names directly in the cache that begin so are Talaria's own. */
const ownNames = ["login-env.json", ".cache-sync-"];
const statsAtOnce = 32;
const maxSkipped = 100;

/** True for what stands directly in the cache and is Talaria's own. */
export function isOwnName(name: string): boolean {
  return ownNames.some((own) => name.startsWith(own));
}

/** The bytes of a host path below a folder. */
export function hostBytes(talariaHome: string, path: string): Buffer {
  return Buffer.from(`${toShellBytes(talariaHome)}/${toShellBytes(path)}`, "latin1");
}

/** Looks through the host's cache and credential files. Links are not followed. Throws CacheSyncError above a limit. */
export async function scanHost(options: ScanOptions): Promise<HostTree> {
  const scan = new Scan(options);
  await scan.cache();
  for (const path of options.credentialFiles) await scan.credential(path);
  await options.hashes.endScan();
  return scan;
}

class Scan implements HostTree {
  readonly files = new Map<string, HostFile>();
  readonly skipped: SkippedFile[] = [];
  skippedFiles = 0;
  readonly #options: ScanOptions;
  #bytes = 0;

  constructor(options: ScanOptions) {
    this.#options = options;
  }

  async cache(): Promise<void> {
    const folders = [cacheFolder];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      this.#options.signal?.throwIfAborted();
      folders.push(...(await this.#folder(folder)));
    }
  }

  /** One credential file, by name. What is not there is reported, and so removed from the sandbox. */
  async credential(path: string): Promise<void> {
    const { talariaHome } = this.#options;
    const stats = await lstat(join(talariaHome, path), { bigint: true }).catch(() => undefined);
    if (stats === undefined) return this.#skip(path, "missing");
    if (stats.isSymbolicLink()) return this.#skip(path, "symlink");
    // A linked folder on the way leads to a file that nobody named.
    const real = await realpath(join(talariaHome, path)).catch(() => undefined);
    if (real !== join(talariaHome, path)) return this.#skip(path, "symlink");
    await this.#file(path, stats, 0o600);
  }

  /** Takes the files of a folder; returns its folders. */
  async #folder(folder: string): Promise<readonly string[]> {
    const entries = await this.#entries(folder);
    if (entries.some(({ name }) => name.toString("latin1") === leaveOutName)) return [];
    const folders: string[] = [];
    const files: string[] = [];
    for (const entry of entries) {
      const name = fromShellBytes(entry.name.toString("latin1"));
      if (folder === cacheFolder && isOwnName(name)) continue;
      const path = `${folder}/${name}`;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) files.push(path);
      else this.#skip(path, entry.isSymbolicLink() ? "symlink" : "not_regular");
    }
    for (let at = 0; at < files.length; at += statsAtOnce) {
      const some = files.slice(at, at + statsAtOnce);
      const stats = await Promise.all(some.map((path) => this.#stats(path)));
      for (const [index, path] of some.entries()) {
        const found = stats[index];
        // Gone since: then it is not there.
        if (found?.isFile()) await this.#file(path, found, Number(found.mode) & 0o777);
      }
    }
    return folders;
  }

  async #entries(folder: string): Promise<readonly Dirent<Buffer>[]> {
    try {
      const path = hostBytes(this.#options.talariaHome, folder);
      return await readdir(path, { encoding: "buffer", withFileTypes: true });
    } catch (error) {
      if (!isMissing(error)) this.#skip(folder, "unreadable");
      return [];
    }
  }

  #stats(path: string): Promise<BigIntStats | undefined> {
    return lstat(hostBytes(this.#options.talariaHome, path), { bigint: true }).catch(() => undefined);
  }

  async #file(path: string, stats: BigIntStats, mode: number): Promise<void> {
    const { talariaHome, hashes, signal } = this.#options;
    if (!stats.isFile()) return this.#skip(path, "not_regular");
    const file = hostBytes(talariaHome, path);
    let hash: string;
    try {
      await access(file, constants.R_OK);
      hash = await hashes.hash(path, file, stats, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (isMissing(error)) return;
      return this.#skip(path, "unreadable");
    }
    const sizeBytes = Number(stats.size);
    this.#bytes += sizeBytes;
    this.files.set(path, { path, mode, hash, sizeBytes });
    this.#assertWithinLimits();
  }

  #assertWithinLimits(): void {
    const { maxFiles, maxBytes, talariaHome } = this.#options;
    const exceeded =
      this.files.size > maxFiles
        ? `more than ${maxFiles} files`
        : this.#bytes > maxBytes
          ? `more than ${maxBytes} bytes`
          : undefined;
    if (exceeded === undefined) return;
    throw new CacheSyncError(`${join(talariaHome, cacheFolder)} has ${exceeded}, too much to mirror.`, {
      hint: `Delete what is not needed, put an empty file ${leaveOutName} into a folder that the sandbox does not need, or set terminal.cache_sync to false.`,
    });
  }

  #skip(path: string, reason: SkippedFile["reason"]): void {
    this.skippedFiles += 1;
    if (this.skipped.length < maxSkipped) this.skipped.push({ path, reason });
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

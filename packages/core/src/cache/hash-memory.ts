import { createHash, randomBytes } from "node:crypto";
import { createReadStream, type BigIntStats } from "node:fs";
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { replaceFile } from "../config/replace-file.js";

/** What says, without reading it, that a file is still the same. */
interface Remembered {
  readonly facts: string;
  readonly hash: string;
}

/** A file written to within this time may be written to again without its facts changing. */
const settledMs = 2000;
const version = 1;

/**
 * Hashes of host files by size, time of change and inode, so that an unchanged tree is not read again, by the next
 * process neither. Kept in `<TALARIA_HOME>/cache-sync.json`; a home that cannot be written to is remembered in this
 * process only. Holds what the last scan saw, no more.
 */
export class HashMemory {
  readonly #path: string;
  #known = new Map<string, Remembered>();
  #seen = new Map<string, Remembered>();
  #isChanged = false;
  #loading: Promise<void> | undefined;
  #isKept = false;
  #homeId = randomBytes(16).toString("hex");

  constructor(talariaHome: string) {
    this.#path = join(talariaHome, "cache-sync.json");
  }

  /**
   * Tells this home from others that mirror into the same sandbox. Random, and kept once it is used; where it cannot be
   * kept, made of this machine's name and the path, so that the next process finds what this one put there.
   */
  async homeId({ isUsed }: { readonly isUsed: boolean }): Promise<string> {
    await this.#load();
    if (this.#isKept || (isUsed && (await this.#save()))) return this.#homeId;
    return createHash("sha256").update(`${hostname()}\0${this.#path}`).digest("hex").slice(0, 32);
  }

  /** The hash of a file's content. `path` names it, `file` is where it is. Throws what reading it throws. */
  async hash(path: string, file: Buffer, stats: BigIntStats, signal?: AbortSignal): Promise<string> {
    await this.#load();
    const facts = `${stats.size} ${stats.mtimeNs} ${stats.ctimeNs} ${stats.ino}`;
    const known = this.#known.get(path);
    if (known?.facts === facts) {
      this.#seen.set(path, known);
      return known.hash;
    }
    const digest = createHash("sha256");
    await pipeline(createReadStream(file), digest, signal === undefined ? {} : { signal });
    const hash = digest.digest("hex");
    if (Date.now() - Number(stats.ctimeMs) > settledMs) {
      this.#seen.set(path, { facts, hash });
      this.#isChanged = true;
    }
    return hash;
  }

  /** Forgets what was not asked for since the last call, and keeps the rest. */
  async endScan(): Promise<void> {
    await this.#load();
    const isChanged = this.#isChanged || this.#seen.size !== this.#known.size;
    this.#known = this.#seen;
    this.#seen = new Map();
    if (!isChanged || (!this.#isKept && this.#known.size === 0)) return;
    this.#isChanged = false;
    // Only costs time when it fails: the next process reads the files again.
    await this.#save();
  }

  async #save(): Promise<boolean> {
    const files = Array.from(this.#known, ([path, { facts, hash }]) => [path, facts, hash]);
    const text = JSON.stringify({ version, home_id: this.#homeId, files });
    const isSaved = await replaceFile(this.#path, text).then(
      () => true,
      () => false,
    );
    this.#isKept ||= isSaved;
    return isSaved;
  }

  #load(): Promise<void> {
    this.#loading ??= this.#read();
    return this.#loading;
  }

  async #read(): Promise<void> {
    try {
      const kept: unknown = JSON.parse(await readFile(this.#path, "utf8"));
      if (!isKept(kept)) return;
      this.#homeId = kept.home_id;
      this.#isKept = true;
      for (const entry of kept.files) {
        const [path, facts, hash] = Array.isArray(entry) ? (entry as unknown[]) : [];
        if (typeof path !== "string" || typeof facts !== "string" || typeof hash !== "string") continue;
        this.#known.set(path, { facts, hash });
      }
    } catch {
      // Not there, or broken: it is written anew.
    }
  }
}

function isKept(value: unknown): value is { readonly home_id: string; readonly files: readonly unknown[] } {
  if (typeof value !== "object" || value === null) return false;
  const { version: found, home_id: id, files } = value as Record<string, unknown>;
  return found === version && typeof id === "string" && /^[0-9a-f]{32}$/.test(id) && Array.isArray(files);
}

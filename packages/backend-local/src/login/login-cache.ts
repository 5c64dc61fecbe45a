import { makePrivateFolder } from "@talaria/core";
import { randomUUID } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { CaptureResult } from "./capture.js";

interface CacheEntry {
  readonly key: string;
  readonly capturedAtMs: number;
  readonly result: CaptureResult;
}

const formatVersion = 1;
/** Different PATHs make different entries: `npm start` puts its own folders in front. */
const maxEntries = 8;
const capturedForMs = 24 * 3_600_000;
/** A failure is remembered too, or each new session would wait for the same hang again. */
const failedForMs = 600_000;

/** Login environments already captured, in a private file that may be deleted at any time. */
export class LoginCache {
  readonly path: string;
  readonly #now: () => number;

  constructor(talariaHome: string, now: () => number = Date.now) {
    this.path = join(talariaHome, "cache", "login-env.json");
    this.#now = now;
  }

  /** What was captured under this key, unless it has expired. Anything wrong with the file means: nothing. */
  read(key: string): CaptureResult | undefined {
    const entry = this.#entries().find((candidate) => candidate.key === key);
    if (entry === undefined) return undefined;
    const ageMs = this.#now() - entry.capturedAtMs;
    const isFresh = ageMs >= 0 && ageMs < (entry.result.kind === "captured" ? capturedForMs : failedForMs);
    return isFresh ? entry.result : undefined;
  }

  /** Adds an entry, as one atomic replacement. A file that cannot be written costs time, not correctness. */
  async write(key: string, result: CaptureResult): Promise<void> {
    const others = this.#entries().filter((entry) => entry.key !== key);
    const entries = [{ key, capturedAtMs: this.#now(), result }, ...others].slice(0, maxEntries);
    const temporary = `${this.path}.${randomUUID()}`;
    try {
      await makePrivateFolder(dirname(this.path));
      await writeFile(temporary, JSON.stringify({ version: formatVersion, entries }), {
        mode: 0o600,
        flag: "wx",
      });
      await rename(temporary, this.path);
    } catch {
      await rm(temporary, { force: true }).catch(() => {});
    }
  }

  #entries(): readonly CacheEntry[] {
    let file: number | undefined;
    try {
      file = openSync(this.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      const stats = fstatSync(file);
      // Who can write this file decides what every command runs with.
      if (!stats.isFile() || stats.uid !== process.getuid?.() || (stats.mode & 0o077) !== 0) return [];
      return parseEntries(JSON.parse(readFileSync(file, "utf8")));
    } catch {
      return [];
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseEntries(content: unknown): CacheEntry[] {
  if (!isRecord(content) || content["version"] !== formatVersion || !Array.isArray(content["entries"]))
    return [];
  return content["entries"].filter(isEntry);
}

function isEntry(value: unknown): value is CacheEntry {
  if (!isRecord(value) || typeof value["key"] !== "string" || typeof value["capturedAtMs"] !== "number")
    return false;
  const result = value["result"];
  if (!isRecord(result)) return false;
  if (result["kind"] === "failed") return typeof result["reason"] === "string";
  return (
    result["kind"] === "captured" &&
    isRecord(result["env"]) &&
    Object.values(result["env"]).every((text) => typeof text === "string")
  );
}

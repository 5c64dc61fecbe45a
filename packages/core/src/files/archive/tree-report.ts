import { fromShellBytes } from "../../shell/shell-bytes.js";
import type { TarEntry } from "./tar-entry.js";

/** Something that was left out. */
export interface SkippedEntry {
  /** Relative to the tree. */
  readonly path: string;
  /** In words: `a device`, `a socket` … */
  readonly reason: string;
}

/** Most that are named; the rest is counted. */
const maxNamed = 1_000;

/** Counts what a tree is made of while it passes. */
export class TreeReport {
  files = 0;
  directories = 0;
  links = 0;
  bytes = 0;
  skippedCount = 0;
  readonly skipped: SkippedEntry[] = [];
  /** Files whose special permission bits were dropped. */
  droppedBits = 0;
  /** Permission bits of the tree's own top, where the archive tells them. */
  topMode: number | undefined;
  readonly #onProgress: ((current: string) => void) | undefined;

  /** @param onProgress called for every file and every piece of one, with its name: it has to be cheap */
  constructor(onProgress?: (current: string) => void) {
    this.#onProgress = onProgress;
  }

  #current = "";

  add({ kind, name }: TarEntry): void {
    if (kind === "directory") this.directories += 1;
    else if (kind === "file") this.files += 1;
    else this.links += 1;
    this.#current = name;
    this.#onProgress?.(name);
  }

  addBytes(count: number): void {
    this.bytes += count;
    this.#onProgress?.(this.#current);
  }

  /** @param name bytes, one character each */
  skip(name: string, reason: string): void {
    this.skippedCount += 1;
    if (this.skipped.length < maxNamed) this.skipped.push({ path: fromShellBytes(name), reason });
  }

  dropBits(_entry: TarEntry): void {
    this.droppedBits += 1;
  }

  /** What the reader should know, in sentences. */
  get notes(): readonly string[] {
    const notes: string[] = [];
    if (this.skippedCount > 0) {
      const named = this.skipped
        .slice(0, 5)
        .map(({ path, reason }) => `${JSON.stringify(path)} (${reason})`)
        .join(", ");
      const more = this.skippedCount > 5 ? ` and ${this.skippedCount - 5} more` : "";
      notes.push(`Left out: ${named}${more}.`);
    }
    if (this.droppedBits > 0) {
      notes.push(
        `The bits for set-user-id, set-group-id and sticky were dropped from ${this.droppedBits} entries.`,
      );
    }
    return notes;
  }
}

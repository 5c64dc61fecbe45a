import type { SearchRecord } from "./search-answer.js";

/** A file with what was found in it. */
export interface FoundFile {
  /** One character a byte. */
  readonly path: string;
  /** Matching lines that were told. */
  matches: number;
  /** Of `count`. */
  count: number;
  readonly records: SearchRecord[];
}

/**
 * Keeps of what an engine tells in any order the first of it in the order of paths: as much as the limit needs, and at
 * most about twice that meanwhile. Lines of one file come together.
 */
export class SearchCollector {
  readonly #limit: number;
  readonly #isByLine: boolean;
  readonly #takes: (path: string) => boolean;
  #files = new Map<string, FoundFile>();
  #current: FoundFile | undefined;
  #currentPath: string | undefined;
  #total = 0;

  constructor(limit: number, isByLine: boolean, takes: (path: string) => boolean) {
    this.#limit = limit;
    this.#isByLine = isByLine;
    this.#takes = takes;
  }

  /** Matches, or files, told so far and still kept. */
  get total(): number {
    return this.#total;
  }

  add(record: SearchRecord): void {
    if (record.path !== this.#currentPath) this.#begin(record.path);
    const file = this.#current;
    if (file === undefined) return;
    if (!this.#isByLine) {
      file.count += record.number;
      return;
    }
    file.records.push(record);
    if (!record.isMatch) return;
    file.matches += 1;
    this.#total += 1;
  }

  drop(path: string): void {
    const file = this.#files.get(path);
    if (file === undefined) return;
    this.#files.delete(path);
    this.#total -= this.#weight(file);
    if (file === this.#current) this.#current = undefined;
  }

  /** In order of paths, as many as hold the first matches up to one more than the limit. */
  first(): readonly FoundFile[] {
    const sorted = [...this.#files.values()].toSorted(byPath);
    let sum = 0;
    return sorted.filter((file) => {
      const isNeeded = sum <= this.#limit;
      sum += this.#weight(file);
      return isNeeded;
    });
  }

  #begin(path: string): void {
    this.#currentPath = path;
    this.#current = undefined;
    if (!this.#takes(path)) return;
    if (this.#total > 2 * this.#limit + 1000) {
      const kept = this.first();
      this.#files = new Map(kept.map((file) => [file.path, file]));
      this.#total = kept.reduce((sum, file) => sum + this.#weight(file), 0);
    }
    const file: FoundFile = { path, matches: 0, count: 0, records: [] };
    this.#files.set(path, file);
    this.#current = file;
    if (!this.#isByLine) this.#total += 1;
  }

  #weight(file: FoundFile): number {
    return this.#isByLine ? file.matches : 1;
  }
}

function byPath(one: FoundFile, other: FoundFile): number {
  return one.path < other.path ? -1 : Number(one.path > other.path);
}

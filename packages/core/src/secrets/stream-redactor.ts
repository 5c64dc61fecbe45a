import type { NeedleSearch } from "./needle-search.js";

/** What stands in the place of a secret. */
export function placeholder(name: string): string {
  return `[redacted:${name}]`;
}

/** Takes something out of a stream of bytes that arrives in pieces. */
export interface ByteFilter {
  /** What can be passed on now. The pieces may be parts of `bytes`. */
  push(bytes: Buffer): readonly Buffer[];
  /** The rest, at the end of the stream. */
  flush(): readonly Buffer[];
}

const nothing = Buffer.alloc(0);

/**
 * Takes known secrets out of a stream, wherever its pieces are cut. Holds back only what could be the beginning of a
 * secret, at most as much as the longest one; every other byte passes as it is. Secrets that overlap are all covered.
 */
export class StreamRedactor implements ByteFilter {
  readonly #search: NeedleSearch;
  /** The end of what came, which may go on as a secret. */
  #held: Buffer = nothing;
  /** Bytes at the beginning of `#held` that belong to a secret which has been replaced already. */
  #covered = 0;

  constructor(search: NeedleSearch) {
    this.#search = search;
  }

  push(bytes: Buffer): readonly Buffer[] {
    if (bytes.length === 0) return [];
    const text = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    return this.#pass(text, this.#search.pendingFrom(text));
  }

  flush(): readonly Buffer[] {
    return this.#pass(this.#held, this.#held.length);
  }

  /** Passes on what stands before `limit`, of which all is known, and holds the rest. */
  #pass(text: Buffer, limit: number): readonly Buffer[] {
    const pieces: Buffer[] = [];
    let at = this.#covered;
    for (let from = 0; ;) {
      const finding = this.#search.find(text, from, limit);
      if (finding === undefined) break;
      const { start, end, name } = finding;
      if (start >= at) {
        if (start > at) pieces.push(text.subarray(at, start));
        pieces.push(Buffer.from(placeholder(name), "utf8"));
      }
      at = Math.max(at, end);
      from = start + 1;
    }
    if (at < limit) pieces.push(text.subarray(at, limit));
    this.#covered = Math.max(0, at - limit);
    // A copy: a few bytes must not keep a whole piece alive.
    this.#held = limit === text.length ? nothing : Buffer.from(text.subarray(limit));
    return pieces;
  }
}

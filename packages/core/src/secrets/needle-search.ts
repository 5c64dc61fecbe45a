import { shortestBytes, type Needle } from "./disguises.js";

/** Where a needle was found. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/** Bytes that have to stand together before a needle is looked at; no needle is shorter. */
const window = shortestBytes;

const newline = 0x0a;
const carriageReturn = 0x0d;
/** Programs that break a text do it after this many characters at the soonest. */
const shortestWrap = 16;

/**
 * Finds any of many needles in one pass that skips most bytes (after Wu and Manber): the last two bytes of a window tell how far it can be moved. The cost hardly depends on the number of needles.
 */
export class NeedleSearch {
  /** Longest part of a text that one needle can cover. */
  readonly longestSpan: number;
  readonly #shifts = new Uint8Array(65_536);
  /** By the two bytes at the end of the window. */
  readonly #byBlock = new Map<number, Needle[]>();
  readonly #byFirstByte = new Map<number, Needle[]>();
  /** Pairs of bytes that a needle begins with. */
  readonly #beginnings = new Uint8Array(65_536);

  /** Needles have at least 8 bytes each. */
  constructor(needles: readonly Needle[]) {
    this.#shifts.fill(window - 1);
    for (const needle of needles) this.#add(needle);
    this.longestSpan = Math.max(0, ...needles.map(spanOf));
  }

  /** The first finding that starts at `from` or later and before `limit`; of those that start together the longest. */
  find(text: Buffer, from: number, limit: number): Finding | undefined {
    const shifts = this.#shifts;
    const last = Math.min(text.length - window, limit - 1);
    for (let at = from; at <= last;) {
      const block = ((text[at + window - 2] ?? 0) << 8) | (text[at + window - 1] ?? 0);
      const shift = shifts[block] ?? 0;
      if (shift > 0) {
        at += shift;
        continue;
      }
      const finding = this.#longestAt(text, at, this.#byBlock.get(block) ?? []);
      if (finding !== undefined) return finding;
      at += 1;
    }
    return undefined;
  }

  /** Where the end of the text begins that may go on as a needle; the text's length when there is none. */
  pendingFrom(text: Buffer): number {
    for (let at = Math.max(0, text.length - this.longestSpan); at < text.length; at++) {
      const first = text[at] ?? 0;
      if (at + 1 < text.length && this.#beginnings[(first << 8) | (text[at + 1] ?? 0)] === 0) continue;
      for (const needle of this.#byFirstByte.get(first) ?? []) {
        if (matchAt(needle, text, at) === "more") return at;
      }
    }
    return text.length;
  }

  #add(needle: Needle): void {
    const { bytes } = needle;
    const blockAt = (index: number): number => ((bytes[index] ?? 0) << 8) | (bytes[index + 1] ?? 0);
    const lastBlock = window - 2;
    for (let index = 0; index <= lastBlock; index++) {
      const block = blockAt(index);
      this.#shifts[block] = Math.min(this.#shifts[block] ?? 0, lastBlock - index);
    }
    listIn(this.#byBlock, blockAt(lastBlock)).push(needle);
    listIn(this.#byFirstByte, bytes[0] ?? 0).push(needle);
    this.#beginnings[blockAt(0)] = 1;
  }

  #longestAt(text: Buffer, start: number, needles: readonly Needle[]): Finding | undefined {
    let best: Finding | undefined;
    for (const needle of needles) {
      const end = matchAt(needle, text, start);
      if (typeof end === "number" && end > (best?.end ?? start)) best = { start, end, name: needle.name };
    }
    return best;
  }
}

/** Where the needle ends that begins at `start`; `more` when the text ends within it; undefined when it is not there. */
function matchAt({ bytes, wraps }: Needle, text: Buffer, start: number): number | "more" | undefined {
  if (!wraps) {
    const length = Math.min(bytes.length, text.length - start);
    if (text[start] !== bytes[0] || text[start + length - 1] !== bytes[length - 1]) return undefined;
    if (text.compare(bytes, 0, length, start, start + length) !== 0) return undefined;
    return length === bytes.length ? start + length : "more";
  }
  let at = start;
  let sinceBreak = 0;
  for (let index = 0; index < bytes.length; index++) {
    if (at >= text.length) return "more";
    if (text[at] === bytes[index]) {
      at += 1;
      sinceBreak += 1;
      continue;
    }
    // Whole in its first bytes, so that the window finds it; then a break is looked over.
    if (index < window || (sinceBreak < shortestWrap && sinceBreak !== index)) return undefined;
    if (text[at] === carriageReturn) at += 1;
    if (text[at] === newline) at += 1;
    sinceBreak = 0;
    if (at >= text.length) return "more";
    if (text[at] !== bytes[index]) return undefined;
    at += 1;
    sinceBreak = 1;
  }
  return at;
}

/** The needle with all the line breaks it may have. */
function spanOf({ bytes, wraps }: Needle): number {
  return wraps ? bytes.length + 2 * Math.ceil(bytes.length / shortestWrap) + 2 : bytes.length;
}

function listIn<Key>(map: Map<Key, Needle[]>, key: Key): Needle[] {
  const found = map.get(key) ?? [];
  map.set(key, found);
  return found;
}

import { shortestBytes, type Needle } from "./disguises.js";

/** Where a needle was found. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/** Bytes that have to stand together before a needle is looked at; no needle is shorter. */
const window = shortestBytes;
/** Of every so many places of a text, one is looked at: three bytes there are part of any window that covers them. */
const stride = window - 2;

const newline = 0x0a;
const carriageReturn = 0x0d;
/** Programs that break a text do it after this many characters at the soonest. */
const shortestWrap = 16;

/** Where three bytes stand in a table of 65,536 entries. */
function placeOf(first: number, second: number, third: number): number {
  return ((first << 8) ^ (second << 4) ^ third ^ (third << 9)) & 0xffff;
}

/**
 * Finds any of many needles in one pass that looks at three bytes of every eight or so: unless these occur near the
 * beginning of a needle, none can begin there. The cost hardly depends on the number of needles.
 */
export class NeedleSearch {
  /** Longest part of a text that one needle can cover. */
  readonly longestSpan: number;
  /** Three bytes that stand somewhere in the window of a needle. */
  readonly #inside = new Uint8Array(65_536);
  /** Three bytes that a needle begins with. */
  readonly #beginnings = new Uint8Array(65_536);
  readonly #byBeginning = new Map<number, Needle[]>();
  readonly #byFirstByte = new Map<number, Needle[]>();

  /** Needles have at least 8 bytes each. */
  constructor(needles: readonly Needle[]) {
    for (const needle of needles) this.#add(needle);
    this.longestSpan = Math.max(0, ...needles.map(spanOf));
  }

  /** The first finding that starts at `from` or later and before `limit`; of those that start together the longest. */
  find(text: Buffer, from: number, limit: number): Finding | undefined {
    const inside = this.#inside;
    // No needle that starts at `limit` covers this place.
    const end = Math.min(text.length - 2, limit + stride - 1);
    for (let at = from + stride - 1; at < end; at += stride) {
      const place = placeOf(text[at] ?? 0, text[at + 1] ?? 0, text[at + 2] ?? 0);
      if (inside[place] === 0) continue;
      const finding = this.#findNear(text, at, limit);
      if (finding !== undefined) return finding;
    }
    return undefined;
  }

  /** Where the end of the text begins that may go on as a needle; the text's length when there is none. */
  pendingFrom(text: Buffer): number {
    for (let at = Math.max(0, text.length - this.longestSpan); at < text.length; at++) {
      const first = text[at] ?? 0;
      const isWhole = at + 2 < text.length;
      if (isWhole && this.#beginnings[placeOf(first, text[at + 1] ?? 0, text[at + 2] ?? 0)] === 0) continue;
      for (const needle of this.#byFirstByte.get(first) ?? []) {
        if (matchAt(needle, text, at) === "more") return at;
      }
    }
    return text.length;
  }

  /** The first finding whose window covers the three bytes at `at`. */
  #findNear(text: Buffer, at: number, limit: number): Finding | undefined {
    const last = Math.min(at, limit - 1);
    for (let start = at - stride + 1; start <= last; start++) {
      const place = placeOf(text[start] ?? 0, text[start + 1] ?? 0, text[start + 2] ?? 0);
      if (this.#beginnings[place] === 0) continue;
      const finding = longestAt(text, start, this.#byBeginning.get(place) ?? []);
      if (finding !== undefined) return finding;
    }
    return undefined;
  }

  #add(needle: Needle): void {
    const { bytes } = needle;
    const placeAt = (index: number): number =>
      placeOf(bytes[index] ?? 0, bytes[index + 1] ?? 0, bytes[index + 2] ?? 0);
    for (let index = 0; index < stride; index++) this.#inside[placeAt(index)] = 1;
    this.#beginnings[placeAt(0)] = 1;
    listIn(this.#byBeginning, placeAt(0)).push(needle);
    listIn(this.#byFirstByte, bytes[0] ?? 0).push(needle);
  }
}

function longestAt(text: Buffer, start: number, needles: readonly Needle[]): Finding | undefined {
  let best: Finding | undefined;
  for (const needle of needles) {
    const end = matchAt(needle, text, start);
    if (typeof end === "number" && end > (best?.end ?? start)) best = { start, end, name: needle.name };
  }
  return best;
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

const defaultIntervalMs = 15_000;
const defaultMaxStrikes = 3;

/** What to do about one match: tell it, with the number of those that were not told before it; keep quiet; or give up. */
export type MatchVerdict =
  | { readonly kind: "tell"; readonly suppressed: number }
  | { readonly kind: "suppress" }
  | { readonly kind: "disable"; readonly suppressed: number };

/**
 * Limits the events of one pattern: one in an interval, the others are counted. An interval in which some were held back
 * is a strike; so many in a row switch the pattern off, and an interval without takes the strikes back.
 */
export class PatternLimit {
  readonly #intervalMs: number;
  readonly #maxStrikes: number;
  readonly #now: () => number;
  #toldAt: number | undefined;
  #suppressed = 0;
  #strikes = 0;

  constructor(
    options: { readonly minIntervalMs?: number | undefined; readonly maxStrikes?: number | undefined },
    now: () => number = () => performance.now(),
  ) {
    this.#intervalMs = options.minIntervalMs ?? defaultIntervalMs;
    this.#maxStrikes = options.maxStrikes ?? defaultMaxStrikes;
    this.#now = now;
  }

  /** Judges a match that has just been seen. */
  judge(): MatchVerdict {
    const now = this.#now();
    if (this.#toldAt !== undefined && now - this.#toldAt < this.#intervalMs) {
      this.#suppressed += 1;
      return { kind: "suppress" };
    }
    const suppressed = this.#suppressed;
    this.#strikes = suppressed > 0 ? this.#strikes + 1 : 0;
    this.#suppressed = 0;
    this.#toldAt = now;
    return this.#strikes >= this.#maxStrikes ? { kind: "disable", suppressed } : { kind: "tell", suppressed };
  }
}

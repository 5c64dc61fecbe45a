/** A text that holds more than this is not judged but asked about. */
const maximalSteps = 8_000;
const maximalDepth = 16;
const maximalWords = 100_000;
/** Characters that are parsed, texts inside texts counted again. */
const maximalParsed = 4_194_304;

/** Counts what the analysis of a text takes, and keeps what could not be understood. */
export class AnalysisBudget {
  /** What could not be understood, in words; few are enough. */
  readonly problems: string[] = [];
  #steps = 0;
  #words = 0;
  #parsed = 0;
  #depth = 0;

  note(problem: string): void {
    if (this.problems.length < 5 && !this.problems.includes(problem)) this.problems.push(problem);
  }

  tooLong(): void {
    this.note("it is too long to be judged");
  }

  tooDeep(): void {
    this.note("it is nested too deeply");
  }

  /** Counts a command; false when there are too many. */
  step(): boolean {
    this.#steps += 1;
    if (this.#steps >= maximalSteps) this.tooLong();
    return this.#steps < maximalSteps;
  }

  /** Counts words; false when there are too many. */
  words(count: number): boolean {
    this.#words += count;
    if (this.#words > maximalWords) this.tooLong();
    return this.#words <= maximalWords;
  }

  /** Counts text that is parsed; false when it is too much. */
  parse(length: number): boolean {
    this.#parsed += length;
    if (this.#parsed > maximalParsed) this.tooLong();
    return this.#parsed <= maximalParsed;
  }

  /** Runs work one level deeper; undefined when that is too deep. */
  deeper<T>(work: () => T): T | undefined {
    if (this.#depth >= maximalDepth) {
      this.tooDeep();
      return undefined;
    }
    this.#depth += 1;
    try {
      return work();
    } finally {
      this.#depth -= 1;
    }
  }
}

/** The ways that a match is under way in one line, from one character to the next: no memory is asked for meanwhile. */
export class MatchRun {
  /** Steps still to be gone into at this character. */
  readonly waiting: number[] = [];
  readonly #visited: Int32Array;
  #turn = 0;
  #steps: Int32Array;
  #begun: Int32Array;
  #count = 0;
  #nextSteps: Int32Array;
  #nextBegun: Int32Array;
  #nextCount = 0;

  constructor(size: number) {
    // A step is added at most once a character.
    this.#visited = new Int32Array(size);
    this.#steps = new Int32Array(size);
    this.#begun = new Int32Array(size);
    this.#nextSteps = new Int32Array(size);
    this.#nextBegun = new Int32Array(size);
  }

  /** Ways that came to this character. */
  get count(): number {
    return this.#count;
  }

  stepAt(one: number): number {
    return this.#steps[one] ?? 0;
  }

  /** Characters before the match that this way would be. */
  begunAt(one: number): number {
    return this.#begun[one] ?? 0;
  }

  /** Goes to the next character. */
  turn(): void {
    [this.#steps, this.#nextSteps] = [this.#nextSteps, this.#steps];
    [this.#begun, this.#nextBegun] = [this.#nextBegun, this.#begun];
    this.#count = this.#nextCount;
    this.#nextCount = 0;
    this.#turn += 1;
  }

  /** Whether this is the first time at this character that one comes to the step. */
  isNew(step: number): boolean {
    if (this.#visited[step] === this.#turn) return false;
    this.#visited[step] = this.#turn;
    return true;
  }

  /** A way that goes on at the next character. */
  add(step: number, begun: number): void {
    this.#nextSteps[this.#nextCount] = step;
    this.#nextBegun[this.#nextCount] = begun;
    this.#nextCount += 1;
  }

  /** Forgets ways that began no earlier. False when none is left. */
  keepBefore(begun: number): boolean {
    while (this.#nextCount > 0 && (this.#nextBegun[this.#nextCount - 1] ?? 0) >= begun) this.#nextCount -= 1;
    return this.#nextCount > 0;
  }
}

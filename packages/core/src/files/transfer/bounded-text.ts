/** The beginning and the end of what a program complains about: what came first tells most, the last line how it ended. */
export class BoundedText {
  #head = "";
  #tail = "";
  readonly #most: number;

  /** @param most characters kept of each */
  constructor(most: number) {
    this.#most = most;
  }

  add(text: string): void {
    const room = this.#most - this.#head.length;
    this.#head += text.slice(0, Math.max(0, room));
    this.#tail = (this.#tail + text.slice(Math.max(0, room))).slice(-this.#most);
  }

  get text(): string {
    return this.#head + this.#tail;
  }
}

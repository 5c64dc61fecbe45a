/** What a reader of results should know: kept until a result can carry it, and told once to who listens. */
export class SessionNotes {
  readonly #onWarning: (warning: string) => void;
  readonly #warned = new Set<string>();
  #pending: readonly string[];

  /** `first` is for the first result. */
  constructor(first: readonly string[], onWarning: (warning: string) => void) {
    this.#onWarning = onWarning;
    this.#pending = first;
    for (const note of first) this.warn(note);
  }

  /** Keeps a note for the next result. */
  add(note: string | undefined): void {
    if (note !== undefined) this.#pending = [...this.#pending, note];
  }

  /** What the next result has to carry. */
  take(): string[] {
    const notes = [...this.#pending];
    this.#pending = [];
    return notes;
  }

  /** There was no result that could carry them. */
  giveBack(notes: readonly string[]): void {
    this.#pending = [...notes, ...this.#pending];
  }

  /** Tells the listener, once for each text. */
  warn(text: string): void {
    if (this.#warned.has(text)) return;
    this.#warned.add(text);
    this.#onWarning(text);
  }
}

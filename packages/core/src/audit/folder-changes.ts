import { watch, type FSWatcher } from "node:fs";

/** Where the system tells nothing (a network share, a folder that is not there yet), one looks again after this time. */
const lookAgainMs = 1_000;

/** Waits for something to happen in a folder. */
export class FolderChanges {
  readonly #folder: string;
  readonly #signal: AbortSignal | undefined;
  #watcher: FSWatcher | undefined;
  #hasChanged = false;
  #wake: () => void = () => {};

  constructor(folder: string, signal: AbortSignal | undefined) {
    this.#folder = folder;
    this.#signal = signal;
    this.#watch();
  }

  /** True after a change, or when it is time to look again; false when aborted. */
  async wait(): Promise<boolean> {
    const signal = this.#signal;
    if (this.#watcher === undefined) this.#watch();
    if (!this.#hasChanged && signal?.aborted !== true) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, lookAgainMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
        signal?.addEventListener("abort", this.#wake, { once: true });
      });
      signal?.removeEventListener("abort", this.#wake);
    }
    this.#hasChanged = false;
    return signal?.aborted !== true;
  }

  close(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #watch(): void {
    try {
      this.#watcher = watch(this.#folder, () => {
        this.#hasChanged = true;
        this.#wake();
      });
      this.#watcher.on("error", () => this.close());
    } catch {
      // Not there yet.
    }
  }
}

import { setMaxListeners } from "node:events";

/**
 * Gives each call a signal that aborts with the caller's own or when the session closes. Nothing is left behind on a
 * caller's signal, which may live as long as the process. Calls without a signal of their own share one: making one is
 * dearer than all else that the host does for a short command.
 */
export class CallSignals {
  readonly #shared = new AbortController();
  readonly #own = new Set<AbortController>();
  readonly #running: Promise<unknown>[] = [];

  constructor() {
    setMaxListeners(0, this.#shared.signal);
  }

  /** Runs one call. Its signal is aborted at once when the caller's is already. */
  async run<T>(signal: AbortSignal | undefined, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return signal === undefined ? this.#track(call(this.#shared.signal)) : this.#runLinked(signal, call);
  }

  /** Aborts every call and waits until all of them ended. */
  async abortAll(reason: Error): Promise<void> {
    this.#shared.abort(reason);
    for (const controller of this.#own) controller.abort(reason);
    await Promise.allSettled(this.#running);
  }

  async #runLinked<T>(signal: AbortSignal, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const abort = (): void => controller.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    this.#own.add(controller);
    try {
      return await this.#track(call(controller.signal));
    } finally {
      this.#own.delete(controller);
      signal.removeEventListener("abort", abort);
    }
  }

  async #track<T>(running: Promise<T>): Promise<T> {
    // A list: a set's table would be made anew every few calls.
    this.#running.push(running);
    try {
      return await running;
    } finally {
      void this.#running.splice(this.#running.indexOf(running), 1);
    }
  }
}

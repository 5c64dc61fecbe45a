/**
 * Gives each call a signal that aborts with the caller's own or when the session closes. Nothing is left behind on a
 * caller's signal, which may live as long as the process.
 */
export class CallSignals {
  readonly #running = new Map<AbortController, Promise<unknown>>();

  /** Runs one call. Its signal is aborted at once when the caller's is already. */
  async run<T>(signal: AbortSignal | undefined, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const abort = (): void => controller.abort(signal?.reason);
    if (signal?.aborted === true) abort();
    else signal?.addEventListener("abort", abort, { once: true });
    const running = call(controller.signal);
    this.#running.set(controller, running);
    try {
      return await running;
    } finally {
      this.#running.delete(controller);
      signal?.removeEventListener("abort", abort);
    }
  }

  /** Aborts every call and waits until all of them ended. */
  async abortAll(reason: Error): Promise<void> {
    const running = [...this.#running];
    for (const [controller] of running) controller.abort(reason);
    await Promise.allSettled(running.map(([, call]) => call));
  }
}

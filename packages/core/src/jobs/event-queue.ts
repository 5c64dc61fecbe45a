import type { JobEvent } from "./job-event.js";

const maxQueued = 1_000;

interface Listener {
  readonly queue: JobEvent[];
  wake: () => void;
}

/** Passes events on to everybody who listens, each at their own pace. */
export class EventQueue {
  readonly #listeners = new Set<Listener>();
  #isClosed = false;

  get isHeard(): boolean {
    return this.#listeners.size > 0;
  }

  push(event: JobEvent): void {
    for (const listener of this.#listeners) {
      listener.queue.push(event);
      if (listener.queue.length > maxQueued) listener.queue.shift();
      listener.wake();
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const listener of this.#listeners) listener.wake();
  }

  /** Listens from the call on, not only from the first look. Ends when the queue is closed or the signal aborts. */
  listen(signal: AbortSignal | undefined): AsyncIterable<JobEvent> {
    const listener: Listener = { queue: [], wake: () => {} };
    this.#listeners.add(listener);
    const isOver = (): boolean => this.#isClosed || signal?.aborted === true;
    const listeners = this.#listeners;
    return (async function* () {
      const onAbort = (): void => listener.wake();
      signal?.addEventListener("abort", onAbort, { once: true });
      try {
        for (;;) {
          const event = listener.queue.shift();
          if (event !== undefined) yield event;
          else if (isOver()) return;
          else await new Promise<void>((resolve) => (listener.wake = resolve));
        }
      } finally {
        listeners.delete(listener);
        signal?.removeEventListener("abort", onAbort);
      }
    })();
  }
}

/** Runs actions one after the other. Who is cancelled while waiting does not have to wait. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Throws the signal's reason, or what the action throws. */
  async run<T>(signal: AbortSignal | undefined, action: () => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    const turn = this.#last.then(() => {
      signal?.throwIfAborted();
      return action();
    });
    this.#last = turn.catch(() => undefined);
    return signal === undefined ? turn : raceAbort(turn, signal);
  }
}

function raceAbort<T>(turn: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", onAbort, { once: true });
    turn.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

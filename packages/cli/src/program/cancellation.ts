import { constants } from "node:os";
import { brokenPipe, talariaFailure } from "../exit-status.js";
import type { StreamWriter } from "../output/writer.js";

const cancellingSignals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;
/** How long a backend that is being made ready may take to give up. */
const unheededMs = 2_000;

/**
 * Turns the reasons to stop a command early into abort signals: a first Ctrl-C (or TERM, HUP, QUIT), or a reader of the
 * CLI's output that went away, cancels with the usual grace; a second signal leaves no grace; a third ends this process
 * whatever a backend still does.
 */
export class Cancellation {
  readonly #cancel = new AbortController();
  readonly #force = new AbortController();
  readonly #onSignal = (name: NodeJS.Signals): void => {
    const status = 128 + constants.signals[name];
    if (this.#force.signal.aborted) process.exit(this.#status ?? status);
    if (this.#cancel.signal.aborted) this.#force.abort();
    this.#begin(status);
  };
  #status: number | undefined;

  constructor() {
    for (const name of cancellingSignals) process.on(name, this.#onSignal);
  }

  /** Aborts when the command is to be cancelled. */
  get signal(): AbortSignal {
    return this.#cancel.signal;
  }

  /** Aborts when there is no time left for a grace. */
  get force(): AbortSignal {
    return this.#force.signal;
  }

  /** The exit status the first reason stands for; undefined while there is none. */
  get status(): number | undefined {
    return this.#status;
  }

  /** Whether our output has no reader: then what became of the command is of interest to nobody. */
  get isUnheard(): boolean {
    return this.#status === brokenPipe || this.#status === talariaFailure;
  }

  /**
   * What `work` gives, unless it is cancelled and does not heed that within the grace: then an AbortError. For what a
   * backend does before there is a command to stop.
   */
  async heeded<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.#cancel;
    let timer: NodeJS.Timeout | undefined;
    let giveUp = (): void => undefined;
    const unheeded = new Promise<never>((_resolve, reject) => {
      giveUp = () => {
        timer = setTimeout(() => {
          reject(new DOMException("the backend did not heed the cancellation", "AbortError"));
        }, unheededMs);
      };
    });
    if (signal.aborted) giveUp();
    else signal.addEventListener("abort", giveUp);
    try {
      return await Promise.race([work, unheeded]);
    } finally {
      signal.removeEventListener("abort", giveUp);
      clearTimeout(timer);
    }
  }

  /** Cancels when the writer cannot be written any more. */
  watchReader(writer: StreamWriter): void {
    writer.whenLost(({ isGone }) => {
      this.#begin(isGone ? brokenPipe : talariaFailure);
    });
  }

  /** Gives the signals back to their default. */
  dispose(): void {
    for (const name of cancellingSignals) process.off(name, this.#onSignal);
  }

  #begin(status: number): void {
    this.#status ??= status;
    this.#cancel.abort();
  }
}

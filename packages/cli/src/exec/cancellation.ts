import { constants } from "node:os";
import { brokenPipe, talariaFailure } from "../exit-status.js";
import type { StreamWriter } from "../output/writer.js";

const cancellingSignals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/**
 * Turns the reasons to stop a command early into abort signals: a first Ctrl-C (or TERM, HUP, QUIT), or a reader of the
 * CLI's output that went away, cancels with the usual grace; a second signal leaves no grace.
 */
export class Cancellation {
  readonly #cancel = new AbortController();
  readonly #force = new AbortController();
  readonly #onSignal = (name: NodeJS.Signals): void => {
    if (this.#cancel.signal.aborted) this.#force.abort();
    this.#begin(128 + constants.signals[name]);
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

/** How a process can be ended when its caller no longer wants it. */
export interface Endable {
  /** Signals the process and its group; false when nobody was left to signal. */
  readonly signalAll: (signal: NodeJS.Signals | 0) => boolean;
  readonly exit: Promise<unknown>;
}

/** Between TERM and KILL, as in core's `killGraceMs`. */
const graceMs = 2_000;

/** Ends a process tree when `signal` fires: TERM, then KILL for whoever is left after the grace. */
export function endOnAbort(signal: AbortSignal | undefined, { signalAll, exit }: Endable): void {
  if (signal === undefined) return;
  const end = (): void => {
    if (!signalAll("SIGTERM")) return;
    const deadline = setTimeout(() => signalAll("SIGKILL"), graceMs);
    // The leader may obey while its children do not: only an empty group calls the second signal off.
    void exit.then(() => {
      if (!signalAll(0)) clearTimeout(deadline);
    });
  };
  if (signal.aborted) {
    end();
    return;
  }
  signal.addEventListener("abort", end, { once: true });
  void exit.then(() => signal.removeEventListener("abort", end));
}

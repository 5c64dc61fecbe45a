import type { CommandTiming } from "./execute-result.js";

/** How one call of a minimal environment ended, seen from outside. */
export type RunEnd =
  /** `timeIsUp`: the answer came no sooner than the time was up, so the environment may have ended the command itself. */
  | { readonly kind: "answered"; readonly answer: unknown; readonly timeIsUp: boolean }
  | { readonly kind: "failed"; readonly error: unknown }
  /** `answer` is what came within the grace, if anything did. */
  | { readonly kind: "timedOut" | "cancelled"; readonly answer?: unknown }
  | { readonly kind: "notStarted" };

export interface MinimalRunOptions {
  readonly timeoutMs: number;
  /** How long an aborted call may take to hand over what it has. */
  readonly killGraceMs: number;
  readonly signal: AbortSignal | undefined;
  /** Ends that time. */
  readonly forceSignal?: AbortSignal | undefined;
}

type Call = (settings: { timeoutMs: number; signal: AbortSignal }) => Promise<unknown>;

/** Keeps the time of one call and cancels it, whether or not the environment obeys. */
export class MinimalRun {
  readonly timeoutMs: number;
  /** Resolves when the call is cancelled before its turn came. */
  readonly cancelledInQueue: Promise<RunEnd>;
  readonly #killGraceMs: number;
  readonly #signal: AbortSignal | undefined;
  readonly #forceSignal: AbortSignal | undefined;
  readonly #madeAt = performance.now();
  readonly #cleanups: (() => void)[] = [];
  #startedMs: number | undefined;
  #endedMs: number | undefined;

  constructor({ timeoutMs, killGraceMs, signal, forceSignal }: MinimalRunOptions) {
    this.timeoutMs = timeoutMs;
    this.#killGraceMs = killGraceMs;
    this.#signal = signal;
    this.#forceSignal = forceSignal;
    this.cancelledInQueue = new Promise((resolve) => {
      this.#onAbort(signal, () => {
        if (this.#startedMs === undefined) resolve({ kind: "notStarted" });
      });
    });
  }

  /** Makes the call, now that its turn has come. Never rejects. */
  async start(call: Call): Promise<RunEnd> {
    if (this.#signal?.aborted === true) return { kind: "notStarted" };
    this.#startedMs = this.#elapsedMs();
    const controller = new AbortController();
    const stopped = new Promise<"timedOut" | "cancelled">((resolve) => {
      const stop = (why: "timedOut" | "cancelled"): void => {
        resolve(why);
        controller.abort(
          new Error(why === "timedOut" ? `timed out after ${this.timeoutMs} ms` : "cancelled"),
        );
      };
      this.#after(this.timeoutMs, () => stop("timedOut"));
      this.#onAbort(this.#signal, () => stop("cancelled"));
    });
    const settled = this.#settle(call, { timeoutMs: this.timeoutMs, signal: controller.signal });
    const first = await Promise.race([settled, stopped]);
    const end = typeof first === "string" ? await this.#withLateAnswer(first, settled) : first;
    this.#endedMs = this.#elapsedMs();
    return end;
  }

  /** Lets go of timers and of the caller's signal. */
  forget(): void {
    for (const cleanup of this.#cleanups.splice(0)) cleanup();
  }

  timing(hasOutput: boolean): CommandTiming {
    const startedMs = this.#startedMs ?? this.#elapsedMs();
    // Output comes all at once, with the end.
    const endedMs = this.#endedMs ?? startedMs;
    return {
      queuedMs: startedMs,
      connectMs: startedMs,
      firstByteMs: hasOutput ? endedMs : null,
      exitMs: endedMs,
      drainedMs: endedMs,
    };
  }

  async #withLateAnswer(kind: "timedOut" | "cancelled", settled: Promise<RunEnd>): Promise<RunEnd> {
    const graceIsOver = new Promise<undefined>((resolve) => {
      this.#after(this.#killGraceMs, () => resolve(undefined));
      this.#onAbort(this.#forceSignal, () => resolve(undefined));
    });
    const late = await Promise.race([settled, graceIsOver]);
    return late?.kind === "answered" ? { kind, answer: late.answer } : { kind };
  }

  async #settle(call: Call, settings: Parameters<Call>[0]): Promise<RunEnd> {
    try {
      const answer = await call(settings);
      return {
        kind: "answered",
        answer,
        timeIsUp: this.#elapsedMs() - (this.#startedMs ?? 0) >= this.timeoutMs,
      };
    } catch (error) {
      return { kind: "failed", error };
    }
  }

  #after(delayMs: number, action: () => void): void {
    const timer = setTimeout(action, delayMs);
    this.#cleanups.push(() => clearTimeout(timer));
  }

  /** At once for a signal that is aborted already. */
  #onAbort(signal: AbortSignal | undefined, action: () => void): void {
    if (signal?.aborted === true) action();
    signal?.addEventListener("abort", action, { once: true });
    this.#cleanups.push(() => signal?.removeEventListener("abort", action));
  }

  #elapsedMs(): number {
    return performance.now() - this.#madeAt;
  }
}

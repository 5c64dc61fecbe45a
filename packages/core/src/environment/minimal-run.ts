import type { CommandTiming } from "./execute-result.js";

/** How one call of a minimal environment ended, seen from outside. */
export type RunEnd =
  /** `timeIsUp`: the answer came no sooner than the time was up, so the environment may have ended the command itself. */
  | { readonly kind: "answered"; readonly answer: unknown; readonly timeIsUp: boolean }
  | { readonly kind: "failed"; readonly error: unknown }
  /** `answer` is what came within the grace, if anything did. */
  | { readonly kind: "timedOut"; readonly timeoutMs: number; readonly answer?: unknown }
  | { readonly kind: "cancelled"; readonly answer?: unknown }
  | { readonly kind: "notStarted" };

export interface MinimalRunOptions {
  readonly timeoutMs: number;
  /** How long an aborted call may take to hand over what it has. */
  readonly killGraceMs: number;
  readonly signal: AbortSignal | undefined;
}

type Call = (settings: { timeoutMs: number; signal: AbortSignal }) => Promise<unknown>;

/** Keeps the time of one call and cancels it, whether or not the environment obeys. */
export class MinimalRun {
  readonly #options: MinimalRunOptions;
  readonly #madeAt = performance.now();
  #startedMs = 0;
  #endedMs = 0;

  constructor(options: MinimalRunOptions) {
    this.#options = options;
  }

  async start(call: Call): Promise<RunEnd> {
    const { timeoutMs, signal } = this.#options;
    this.#startedMs = this.#elapsedMs();
    this.#endedMs = this.#startedMs;
    if (signal?.aborted === true) return { kind: "notStarted" };
    const controller = new AbortController();
    const stopped = new Promise<"timedOut" | "cancelled">((resolve) => {
      const stop = (why: "timedOut" | "cancelled"): void => {
        resolve(why);
        controller.abort(new Error(why === "timedOut" ? `timed out after ${timeoutMs} ms` : "cancelled"));
      };
      const timer = setTimeout(() => stop("timedOut"), timeoutMs);
      const cancel = (): void => stop("cancelled");
      signal?.addEventListener("abort", cancel, { once: true });
      this.#forget = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", cancel);
      };
    });
    const settled = this.#settle(call, { timeoutMs, signal: controller.signal });
    try {
      const first = await Promise.race([settled, stopped]);
      if (typeof first !== "string") return first;
      const late = await Promise.race([settled, this.#grace()]);
      const answer = late?.kind === "answered" ? { answer: late.answer } : {};
      return first === "timedOut" ? { kind: first, timeoutMs, ...answer } : { kind: first, ...answer };
    } finally {
      this.#forget();
      this.#endedMs = this.#elapsedMs();
    }
  }

  timing(hasOutput: boolean): CommandTiming {
    // Output comes all at once, with the end.
    return {
      queuedMs: this.#startedMs,
      connectMs: this.#startedMs,
      firstByteMs: hasOutput ? this.#endedMs : null,
      exitMs: this.#endedMs,
      drainedMs: this.#endedMs,
    };
  }

  #forget: () => void = () => undefined;

  async #settle(call: Call, settings: Parameters<Call>[0]): Promise<RunEnd & { kind: "answered" | "failed" }> {
    try {
      const answer = await call(settings);
      return { kind: "answered", answer, timeIsUp: this.#elapsedMs() - this.#startedMs >= settings.timeoutMs };
    } catch (error) {
      return { kind: "failed", error };
    }
  }

  #grace(): Promise<undefined> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#options.killGraceMs, undefined);
      const forget = this.#forget;
      this.#forget = () => {
        forget();
        clearTimeout(timer);
      };
    });
  }

  #elapsedMs(): number {
    return performance.now() - this.#madeAt;
  }
}

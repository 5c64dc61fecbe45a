import type { ApprovalAnswer, ApprovalRequest, Approve } from "./approval-options.js";

/** How a question ended. `nobody`: there is no one to ask. */
export type QuestionEnd = ApprovalAnswer | "timeout" | "nobody";

/** A question without what the asking adds. */
export type Question = Omit<ApprovalRequest, "timeoutMs" | "signal">;

interface OpenQuestion {
  readonly end: Promise<QuestionEnd>;
  readonly controller: AbortController;
  waiters: number;
}

/** Asks one question at a time, the same one once, and none for ever. */
export class ApprovalQuestions {
  readonly #approve: Approve | undefined;
  readonly #timeoutMs: number;
  readonly #open = new Map<string, OpenQuestion>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(approve: Approve | undefined, timeoutMs: number) {
    this.#approve = approve;
    this.#timeoutMs = timeoutMs;
  }

  /** Throws the signal's reason when the caller does not want to know any more. */
  async ask(question: Question, signal: AbortSignal | undefined): Promise<QuestionEnd> {
    const approve = this.#approve;
    if (approve === undefined) return "nobody";
    signal?.throwIfAborted();
    const key = question.command;
    let open = this.#open.get(key);
    if (open === undefined) {
      open = this.#start(question, approve);
      this.#open.set(key, open);
    }
    open.waiters += 1;
    try {
      return await untilAborted(open.end, signal);
    } finally {
      open.waiters -= 1;
      if (open.waiters === 0 && this.#open.get(key) === open) {
        this.#open.delete(key);
        open.controller.abort();
      }
    }
  }

  #start(question: Question, approve: Approve): OpenQuestion {
    const controller = new AbortController();
    const end = this.#last.then(() => this.#put(question, approve, controller));
    this.#last = end;
    return { end, controller, waiters: 0 };
  }

  async #put(question: Question, approve: Approve, controller: AbortController): Promise<QuestionEnd> {
    // Everybody who wanted to know has gone while others were asked.
    if (controller.signal.aborted) return "deny";
    const timeoutMs = this.#timeoutMs;
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<QuestionEnd>((resolve) => {
      timer = setTimeout(() => {
        resolve("timeout");
        controller.abort();
      }, timeoutMs);
      controller.signal.addEventListener("abort", () => resolve("deny"), { once: true });
    });
    try {
      return await Promise.race([
        answerOf(approve, { ...question, timeoutMs, signal: controller.signal }),
        over,
      ]);
    } finally {
      clearTimeout(timer);
    }
  }
}

async function answerOf(approve: Approve, request: ApprovalRequest): Promise<ApprovalAnswer> {
  try {
    const answer: unknown = await approve(request);
    return answer === "once" || answer === "session" || answer === "always" ? answer : "deny";
  } catch {
    return "deny";
  }
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Something was waited for longer than it may take. */
class DeadlineError extends Error {
  override readonly name = "DeadlineError";
}

/** What is being waited for just now, by name: asked when a deadline has passed. */
export class Waits {
  readonly #pending = new Set<{ readonly what: string }>();

  async during<T>(what: string, promise: Promise<T>): Promise<T> {
    const wait = { what };
    this.#pending.add(wait);
    try {
      return await promise;
    } finally {
      this.#pending.delete(wait);
    }
  }

  /** In words, oldest first. */
  describe(): string {
    return [...this.#pending].map(({ what }) => what).join(", ") || "nothing in particular";
  }
}

/** The promise, or a DeadlineError after so many milliseconds. The work itself goes on: who calls it must end it. */
export async function withDeadline<T>(
  promise: Promise<T>,
  limitMs: number,
  describe: () => string,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new DeadlineError(`not finished after ${limitMs} ms; waited for ${describe()}`));
    }, limitMs);
  });
  // What is abandoned may still fail later, with nobody listening.
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

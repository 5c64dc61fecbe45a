import type { StdinSource } from "../environment/execute-options.js";

/** Where a command's standard input is written to. */
export interface InputEnd {
  /** Resolves when more can be taken. */
  writeStdin(bytes: Uint8Array): Promise<void>;
  endInput(): void;
  /** False when nobody reads any more. */
  readonly inputOpen: boolean;
}

/**
 * Feeds a command's standard input and ends it. Stops by itself when nobody reads any more, which is not an error: a
 * command may end before it has read all. When the command has `ended`, a source that is still waiting for its own next
 * piece is told to stop. Rejects only when the source itself fails.
 */
export async function feedStdin(input: InputEnd, source: StdinSource, ended: Promise<void>): Promise<void> {
  if (typeof source === "string" || source instanceof Uint8Array) {
    await input.writeStdin(toBytes(source));
    input.endInput();
    return;
  }
  const iterator = source[Symbol.asyncIterator]();
  const stop = ended.then(() => undefined);
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), stop]);
      if (next === undefined || next.done === true || !input.inputOpen) break;
      await input.writeStdin(toBytes(next.value));
    }
  } finally {
    input.endInput();
    // Not awaited: a generator that is waiting answers only when it goes on.
    void iterator.return?.().catch(() => {});
  }
}

function toBytes(piece: string | Uint8Array): Uint8Array {
  return typeof piece === "string" ? Buffer.from(piece, "utf8") : piece;
}

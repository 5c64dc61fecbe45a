import type { StdinSource } from "../environment/execute-options.js";
import type { Channel } from "./channel.js";

/**
 * Feeds a command's standard input and ends it. Stops by itself when nobody reads any more, which is not an error: a
 * command may end before it has read all. When the command has `ended`, a source that is still waiting for its own next
 * piece is told to stop. Rejects only when the source itself fails.
 */
export async function feedStdin(channel: Channel, source: StdinSource, ended: Promise<void>): Promise<void> {
  if (typeof source === "string" || source instanceof Uint8Array) {
    await channel.writeStdin(toBytes(source));
    channel.endInput();
    return;
  }
  const iterator = source[Symbol.asyncIterator]();
  const stop = ended.then(() => undefined);
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), stop]);
      if (next === undefined || next.done === true || !channel.inputOpen) break;
      await channel.writeStdin(toBytes(next.value));
    }
  } finally {
    channel.endInput();
    // Not awaited: a generator that is waiting answers only when it goes on.
    void iterator.return?.().catch(() => {});
  }
}

function toBytes(piece: string | Uint8Array): Uint8Array {
  return typeof piece === "string" ? Buffer.from(piece, "utf8") : piece;
}

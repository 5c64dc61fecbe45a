import type { StdinSource } from "../environment/execute-options.js";
import type { Channel } from "./channel.js";

/**
 * Feeds a command's standard input and ends it. Stops by itself when nobody reads any more, which is not an error: a
 * command may end before it has read all. Rejects only when the source itself fails.
 */
export async function feedStdin(
  channel: Channel,
  source: StdinSource,
  stopped: () => boolean,
): Promise<void> {
  if (typeof source === "string" || source instanceof Uint8Array) {
    await channel.writeStdin(toBytes(source));
    channel.endInput();
    return;
  }
  const iterator = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await iterator.next();
      if (next.done === true || stopped() || !channel.inputOpen) break;
      await channel.writeStdin(toBytes(next.value));
    }
  } finally {
    channel.endInput();
    // Not awaited: a source that is waiting for its own next piece would keep the finished command waiting too.
    void iterator.return?.().catch(() => {});
  }
}

function toBytes(piece: string | Uint8Array): Uint8Array {
  return typeof piece === "string" ? Buffer.from(piece, "utf8") : piece;
}

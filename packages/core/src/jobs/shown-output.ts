import type { ByteFilter } from "../secrets/stream-redactor.js";

/** A piece of a log as it may be shown, and how much of what came it stands for. */
export interface ShownPiece {
  readonly bytes: Buffer;
  /** Bytes at the end of what came that could be the beginning of a secret: they come again with the next piece. */
  readonly heldBytes: number;
}

/**
 * Takes secrets out of a piece of a log. Each piece gets a filter of its own, so that pieces can be read in any order; what
 * the filter would hold back is left for the next piece, which then begins before it.
 */
export function shownPiece(
  raw: Buffer,
  isLast: boolean,
  makeFilter: () => ByteFilter | undefined,
): ShownPiece {
  const filter = makeFilter();
  if (filter === undefined) return { bytes: raw, heldBytes: 0 };
  const passed = Buffer.concat(filter.push(raw));
  const held = Buffer.concat(filter.flush());
  const isPlain = raw.subarray(raw.length - held.length).equals(held);
  if (isLast || held.length === 0 || !isPlain) return { bytes: Buffer.concat([passed, held]), heldBytes: 0 };
  return { bytes: passed, heldBytes: held.length };
}

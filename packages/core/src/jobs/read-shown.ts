import type { JobRead, JobReadOptions } from "./job-options.js";
import type { Journal } from "./journal.js";
import { defaultReadBytes, maxReadBytes, readLog } from "./read-log.js";
import { shownPiece } from "./shown-output.js";

/** By how much a read is made longer that would end within what may be a secret. */
const furtherBytes = 16 * 1024;

/**
 * Reads one piece of a job's log as it may be shown. All of a short piece may be the beginning of a secret: then more is
 * read until that is decided, or all that was written is there. What is still open waits for the next read.
 */
export async function readShown(
  journal: Journal,
  id: string,
  sinceOffset: number,
  { maxBytes = defaultReadBytes, signal }: JobReadOptions,
): Promise<Omit<JobRead, "text">> {
  for (let limit = maxBytes; ;) {
    const {
      bytes: raw,
      offset,
      nextOffset,
      ended,
      size,
    } = await readLog(journal, id, sinceOffset, {
      maxBytes: limit,
      signal,
    });
    const { bytes, heldBytes } = shownPiece(Buffer.from(raw), ended, () => journal.access.outputFilter());
    const isOpen = heldBytes > 0 && heldBytes === raw.length;
    const isAll = nextOffset >= size || limit >= maxReadBytes;
    if (!isOpen || isAll) return { bytes, offset, nextOffset: nextOffset - heldBytes, ended };
    limit = Math.min(maxReadBytes, limit + Math.max(limit, furtherBytes));
  }
}

import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** Longer than anything Talaria writes into one. */
const largestBytes = 4096;

/**
 * What a lock file says; undefined when there is none, or something else in its place. A pipe or an endless device put
 * there is neither waited for nor read to its end.
 */
export async function readLockFile(path: string): Promise<string | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      return stats.isFile() && stats.size <= largestBytes ? await file.readFile("utf8") : undefined;
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

import { createHash } from "node:crypto";
import { join } from "node:path";
import { SessionFileError } from "../errors/errors.js";
import { withFileLock } from "../session/file-lock.js";
import { CacheSyncError } from "./cache-sync-error.js";

/** As long as another process may take to send a large cache to the same sandbox. */
const deadlineMs = 10 * 60 * 1000;

/** One sync of a home into a sandbox at a time, over all processes. A home that cannot be written to has no lock. */
export async function withSandboxLock<T>(
  talariaHome: string,
  sandbox: { readonly backend: string; readonly id: string },
  action: () => Promise<T>,
): Promise<T> {
  const name = createHash("sha256").update(`${sandbox.backend}\0${sandbox.id}`).digest("hex").slice(0, 16);
  let hasBegun = false;
  const begin = (): Promise<T> => {
    hasBegun = true;
    return action();
  };
  try {
    return await withFileLock(join(talariaHome, `cache-sync-${name}.lock`), begin, { deadlineMs });
  } catch (error) {
    if (hasBegun) throw error;
    if (!(error instanceof SessionFileError)) return begin();
    throw new CacheSyncError("Another process has been sending the cache to this sandbox for too long.", {
      backend: sandbox.backend,
      hint: error.hint,
      cause: error,
    });
  }
}

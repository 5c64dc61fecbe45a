import { lstat, mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a folder, and those above it, for this user only (0700). What exists stays as it is. Not by Node's `recursive`:
 * in a file system whose folders nobody can make (`/proc`), that goes round for ever and keeps signals from being heard.
 * @internal
 */
export async function makePrivateFolder(path: string): Promise<void> {
  if (await tryMake(path)) return;
  const parent = dirname(path);
  if (parent !== path && !(await exists(parent))) await makePrivateFolder(parent);
  // Where the parent is there and it still fails, this is the error that says why.
  await mkdir(path, { mode: 0o700 }).catch(unlessThere);
}

/** False when the folder above is missing. */
async function tryMake(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 }).catch(unlessThere);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}

/** What is there need not be a folder: whoever puts a file into it gets the error that says so. */
function unlessThere(error: unknown): void {
  if (codeOf(error) !== "EEXIST") throw error;
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

import { lstatSync, readdirSync } from "node:fs";
import { HostDirectory } from "../archive/host-directory.js";

/** How much there is to send. A guess for a progress bar: what cannot be read counts for nothing. */
export interface TreeCount {
  readonly bytes: number;
  readonly files: number;
}

/** Looked at before the event loop gets its turn. */
const batch = 500;

/** Counts the files of a tree of this machine. @param path bytes, one character each */
export async function countTree(
  path: string,
  excludes: ((path: string) => boolean) | undefined,
  signal: AbortSignal | undefined,
): Promise<TreeCount> {
  let bytes = 0;
  let files = 0;
  let looked = 0;
  const seen = new Set<string>();
  const visit = async (directory: HostDirectory, below: string): Promise<void> => {
    for (const name of readdirSync(directory.self, "latin1")) {
      if (++looked % batch === 0) await new Promise(setImmediate);
      signal?.throwIfAborted();
      const child = below === "" ? name : `${below}/${name}`;
      if (excludes?.(child) === true) continue;
      const found = lstatSync(directory.at(name), { throwIfNoEntry: false });
      if (found?.isFile() === true) {
        const key = found.nlink > 1 ? `${found.dev}:${found.ino}` : undefined;
        if (key !== undefined && seen.has(key)) continue;
        if (key !== undefined) seen.add(key);
        files += 1;
        bytes += found.size;
      } else if (found?.isDirectory() === true) await enter(() => directory.openChild(name), child);
    }
  };
  const enter = async (open: () => HostDirectory, below: string): Promise<void> => {
    let directory: HostDirectory | undefined;
    try {
      directory = open();
      await visit(directory, below);
    } catch {
      // What is wrong there is said by the transfer itself.
      signal?.throwIfAborted();
    } finally {
      directory?.close();
    }
  };
  await enter(() => HostDirectory.open(path), "");
  return { bytes, files };
}

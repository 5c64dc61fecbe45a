import type { HostFile } from "./mirrored-file.js";
import type { SandboxRecord } from "./sandbox-record.js";

/** What has to be done so that the sandbox has what the host has. */
export interface SyncPlan {
  /** New or changed files. */
  readonly uploads: readonly HostFile[];
  /** Files of ours that the host no longer has. */
  readonly deletions: readonly string[];
  /** Folders that the deletions may have emptied, deepest first. */
  readonly emptied: readonly string[];
  /** Folders that the uploads need. */
  readonly folders: readonly string[];
}

/** Compares by content and mode. Pure. */
export function planSync(host: ReadonlyMap<string, HostFile>, sandbox: SandboxRecord): SyncPlan {
  const uploads = [...host.values()].filter(({ path, mode, hash }) => {
    const there = sandbox.get(path);
    return there?.hash !== hash || there.mode !== mode;
  });
  const deletions = [...sandbox.keys()].filter((path) => !host.has(path));
  const kept = foldersOf(host.keys());
  const emptied = [...foldersOf(deletions)].filter((folder) => !kept.has(folder));
  return {
    uploads,
    deletions,
    emptied: emptied.sort((a, b) => depth(b) - depth(a)),
    folders: [...foldersOf(uploads.map(({ path }) => path))].sort((a, b) => depth(a) - depth(b)),
  };
}

function foldersOf(paths: Iterable<string>): Set<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
      const folder = path.slice(0, slash);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}

function depth(path: string): number {
  return path.split("/").length;
}

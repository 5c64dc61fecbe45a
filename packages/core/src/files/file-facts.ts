import type { SandboxPath } from "../workdir/paths.js";

/** What kind of thing a name stands for. */
export type FileType =
  | "file"
  | "directory"
  | "symlink"
  | "fifo"
  | "socket"
  | "character_device"
  | "block_device"
  | "unknown";

/** What a sandbox says of a file. */
export interface FileStat {
  /** The physical path: no link on the way, and none at its end unless links were not followed. */
  readonly path: SandboxPath;
  readonly type: FileType;
  readonly sizeBytes: number;
  /** Permission bits, set-id and sticky bit included: `0o644`. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Names the file has (hard links). */
  readonly links: number;
  /** Milliseconds since 1970, with a fraction where the sandbox tells it. */
  readonly modifiedMs: number;
  /** Where a symbolic link points to, as it is written in it. Only for `symlink`. */
  readonly linkTarget?: string | undefined;
  /** Differs when the file has been changed or replaced. Compare it, nothing else: its form may change. */
  readonly version: string;
}

/** Options of `stat`. */
export interface StatOptions {
  /** False: of a symbolic link itself. Default true. */
  readonly followLinks?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

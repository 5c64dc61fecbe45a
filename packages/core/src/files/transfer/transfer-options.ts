import type { SandboxPath } from "../../workdir/paths.js";
import type { ArchiveLimits } from "../archive/archive-limits.js";
import type { SkippedEntry } from "../archive/tree-report.js";

/** How far a transfer is. */
export interface TransferProgress {
  /** Bytes of file content that have passed. */
  readonly bytes: number;
  /** Files begun, the current one included. */
  readonly files: number;
  /** Absent where nobody knows it before the end: a tree that comes out of a sandbox. */
  readonly totalBytes?: number | undefined;
  readonly totalFiles?: number | undefined;
  /** The file that is under way, relative to the tree. */
  readonly current: string;
}

/** Options of `upload`, `download` and `copyTo`. */
export interface TransferOptions {
  /** Replace files that are there. Default true; false: `reason: "exists"`, and nothing is changed. */
  readonly overwrite?: boolean | undefined;
  /**
   * Names and paths of a tree that are left out. Without a slash a pattern is looked for in every directory
   * (`node_modules`, `*.log`), with one it is a path from the top of the tree (`build/cache`, `docs/**` and so on).
   * Default none.
   */
  readonly exclude?: readonly string[] | undefined;
  /** Compare the SHA-256 of a single file on both sides as well, where the sandbox can compute it. Default false: its size. */
  readonly verify?: boolean | undefined;
  readonly limits?: ArchiveLimits | undefined;
  /**
   * What to do with a symbolic link of a downloaded or copied tree that may lead out of it: an error with the link named,
   * or leave it out and report it. Uploads keep all links as they are. Default `refuse`.
   */
  readonly outsideLinks?: "refuse" | "skip" | undefined;
  /** Make missing directories of the target's path. Default false, as `cp` does. */
  readonly createParents?: boolean | undefined;
  /** Write to a place of the sandbox that is refused by default. Default: the session's. */
  readonly allowSensitive?: boolean | undefined;
  /** Told at most ten times a second, and once at the end. */
  readonly onProgress?: ((progress: TransferProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a transfer did. */
export interface TransferResult {
  /** Where it landed: a path of the sandbox for `upload` and `copyTo`, of this machine for `download`. */
  readonly path: string;
  readonly kind: "file" | "tree";
  /** Bytes of file content. */
  readonly bytes: number;
  readonly files: number;
  /** Directories, the tree's own top not counted. */
  readonly directories: number;
  /** Symbolic and hard links. */
  readonly links: number;
  /** What was left out because it cannot be transferred: at most 1,000 are named. */
  readonly skipped: readonly SkippedEntry[];
  readonly skippedCount: number;
  /** What both sides agree on. `sha256` only for a single file with `verify`, where the sandbox can compute it. */
  readonly verified: "size" | "sha256";
  /** Things the reader should know, in sentences. */
  readonly notes: readonly string[];
}

/** A transfer into a sandbox. */
export interface UploadResult extends TransferResult {
  readonly path: SandboxPath;
}

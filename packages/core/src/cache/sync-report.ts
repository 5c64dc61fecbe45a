/** A file that is not mirrored, and why. */
export interface SkippedFile {
  /** Below `<TALARIA_HOME>`. */
  readonly path: string;
  readonly reason: "symlink" | "not_regular" | "unreadable" | "missing";
}

/** What a sync did. */
export interface SyncReport {
  /**
   * `synced`: the sandbox was changed. `unchanged`: there was nothing to do. `shared`: the sandbox sees the host's own
   * folder at that place, so nothing is copied. `not_translated`: this backend uses host paths as they are.
   */
  readonly status: "synced" | "unchanged" | "shared" | "not_translated";
  /** Files of the mirror, credential files included. */
  readonly files: number;
  readonly uploadedFiles: number;
  readonly uploadedBytes: number;
  readonly deletedFiles: number;
  /** At most 100; `skippedFiles` is their full number. */
  readonly skipped: readonly SkippedFile[];
  readonly skippedFiles: number;
}

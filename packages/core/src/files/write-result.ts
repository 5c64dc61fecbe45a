import type { SandboxPath } from "../workdir/paths.js";

/** Options of `write`. */
export interface WriteFileOptions {
  /** Permission bits. Default: those of the file that is there, else what the sandbox gives a new file. */
  readonly mode?: number | undefined;
  /** Make missing directories of the path. Default true. */
  readonly createParents?: boolean | undefined;
  /** Refuse (`reason: "changed"`) unless the file still has this version. `"absent"`: unless there is no file. */
  readonly ifVersion?: string | undefined;
  /**
   * `keep`: a text over an existing text file gets that file's line ends and byte order mark. `exact`: what is given is
   * what is written. `lf`, `crlf`: these line ends. Bytes (Uint8Array) are always exact. Default `keep`.
   */
  readonly lineEnding?: "keep" | "exact" | "lf" | "crlf" | undefined;
  /** Write a file that is refused by default because it steers logins, shells or Talaria itself. Default: the session's. */
  readonly allowSensitive?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Options of `append`. */
export type AppendFileOptions = Pick<
  WriteFileOptions,
  "mode" | "createParents" | "allowSensitive" | "signal"
>;

/** What a write did. */
export interface WrittenFile {
  /** The physical path of the file that was written: what a link leads to. */
  readonly path: SandboxPath;
  /** Bytes written. */
  readonly bytes: number;
  /** There was no such file before. */
  readonly created: boolean;
  /** Of the file as it is now: for the next `ifVersion`. */
  readonly version: string;
}

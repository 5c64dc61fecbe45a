import type { SandboxPath } from "../workdir/paths.js";
import type { FileStat } from "./file-facts.js";

/** Options of `list`. */
export interface ListOptions {
  /** Levels below the directory. Default 1: what is in it. */
  readonly depth?: number | undefined;
  /** Most entries. Default 2,000; at most 100,000. */
  readonly limit?: number | undefined;
  /** Names that begin with a dot as well. Default true. */
  readonly hidden?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** One entry of a listing. Links are not followed. */
export interface ListedFile extends Omit<FileStat, "path"> {
  /** Relative to the directory that was listed. */
  readonly name: string;
}

/** What is in a directory, sorted by name, byte by byte. */
export interface FileListing {
  /** The directory's physical path. */
  readonly path: SandboxPath;
  readonly entries: readonly ListedFile[];
  /** Entries there are, those left out by `limit` included. */
  readonly total: number;
  /** Directories that could not be looked into, relative to the listed one. */
  readonly unreadable: readonly string[];
}

/** What the operations that change a tree have in common. */
export interface ChangeOptions {
  /** Touch what is refused by default because it steers logins, shells or Talaria itself. Default: the session's. */
  readonly allowSensitive?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Options of `mkdir`. */
export interface MkdirOptions extends ChangeOptions {
  /** Make what is missing of the path, and do nothing where it is all there. Default true. */
  readonly parents?: boolean | undefined;
  /** Permission bits of the last directory. Default: the sandbox's. */
  readonly mode?: number | undefined;
}

/** Options of `remove`. */
export interface RemoveOptions extends ChangeOptions {
  /** Remove a directory with all that is in it. Default false: files, links, empty directories. */
  readonly recursive?: boolean | undefined;
  /** Nothing there is no error. Default false. */
  readonly ifExists?: boolean | undefined;
}

/** Options of `rename`. */
export interface RenameOptions extends ChangeOptions {
  /** Replace a file that has the new name. Default false: `reason: "exists"`. */
  readonly overwrite?: boolean | undefined;
}

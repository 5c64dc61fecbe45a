import type { SandboxPath } from "../workdir/paths.js";

/** Options of `search`. */
export interface SearchOptions {
  /** A directory, or one file. Default: where the session stands. */
  readonly path?: string | undefined;
  /**
   * `content`: matching lines. `files`: files with a match. `count`: matching lines a file. `name`: files whose name the
   * pattern, a glob, fits; with a `/` in it, whose path below `path` it fits. Default `content`.
   */
  readonly mode?: "content" | "files" | "count" | "name" | undefined;
  /** Only files whose name fits one of these globs (`*`, `?`, `[…]`, `{a,b}`). With a `/` the path below `path` counts. */
  readonly glob?: string | readonly string[] | undefined;
  readonly ignoreCase?: boolean | undefined;
  /** The pattern is the text itself, not an expression. Default false. */
  readonly literal?: boolean | undefined;
  /** Lines shown before and after a match. Default 0; at most 50. */
  readonly context?: number | undefined;
  /** Most matches (matching lines, or files). Default 200; at most 10,000. */
  readonly limit?: number | undefined;
  /** A longer line is cut. Default 500. */
  readonly maxLineBytes?: number | undefined;
  /** Files and directories whose name begins with a dot. Default false. */
  readonly hidden?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A line that was found, or one that stands beside it. */
export interface SearchMatch {
  /** Relative to the searched directory; the name alone when a file was searched. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** Where the match begins, in characters from 1; 0 for a line of context. */
  readonly column: number;
  readonly text: string;
  /** False for a line of context. */
  readonly isMatch: boolean;
}

export interface SearchResult {
  /** The physical path that was searched. */
  readonly path: SandboxPath;
  readonly mode: "content" | "files" | "count" | "name";
  /** Only `content`: by path, then line. */
  readonly matches: readonly SearchMatch[];
  /** Files with a match, by path; `count` is of matching lines, 0 where it was not asked for. */
  readonly files: readonly { readonly path: string; readonly count: number }[];
  /** There was more: the search stopped at `limit`. */
  readonly truncated: boolean;
  /** What searched. The results are the same. */
  readonly engine: "ripgrep" | "grep" | "find";
}

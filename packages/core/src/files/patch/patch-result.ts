import type { SandboxPath } from "../../workdir/paths.js";
import type { MatchStrategyName } from "./text-match.js";

/** One replacement of text in a file. */
export interface TextEdit {
  /**
   * The text to replace, as it stands in the file. It must be there once; white space, look-alike characters and the
   * like may differ where nothing else could be meant. Line ends do not count: `\n` stands for the file's own.
   */
  readonly find: string;
  /** What is to stand in its place. Lines that are in `find` as well stay as the file has them. */
  readonly replace: string;
  /** Replace it wherever it stands. Default false. */
  readonly all?: boolean | undefined;
}

/** Options of `patch` and `applyPatch`. */
export interface PatchOptions {
  /** Do all but write: the result is what would come of it. Default false. */
  readonly dryRun?: boolean | undefined;
  /** Change a file that is refused by default because it steers logins, shells or Talaria itself. Default: the session's. */
  readonly allowSensitive?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Options of `patch`. */
export interface PatchFileOptions extends PatchOptions {
  /**
   * Refuse (`reason: "changed"`) unless the file still has this version. Without it, a file that changes between being
   * read and being written is read and patched anew.
   */
  readonly ifVersion?: string | undefined;
}

/** Lines of a file that were replaced. */
export interface PatchedLines {
  /** In the file as it is now, from 1. `lastLine` is `firstLine - 1` where nothing is left. */
  readonly firstLine: number;
  readonly lastLine: number;
}

/** What became of one edit, or one hunk. */
export interface AppliedEdit {
  /** How its place was recognised. `already_applied`: what it is to make was there, and it changed nothing. */
  readonly strategy: MatchStrategyName | "already_applied";
  /** Places that were changed. */
  readonly count: number;
  /** Where: the first 100 of them. */
  readonly places: readonly PatchedLines[];
}

/** What a patch did to a file. */
export interface PatchedFile {
  /** The physical path: what a link leads to. Of a file that was moved: the new one. */
  readonly path: SandboxPath;
  readonly operation: "update" | "add" | "delete" | "move";
  /** Where a file was before it was moved. */
  readonly movedFrom?: SandboxPath | undefined;
  /** False when everything was there already, and nothing was written. */
  readonly isChanged: boolean;
  /** In the order of the patch; none for a file that was added or deleted. */
  readonly edits: readonly AppliedEdit[];
  readonly linesAdded: number;
  readonly linesRemoved: number;
  /** A unified diff with three lines of context, cut after 400 lines. */
  readonly diff: string;
  readonly isDiffCut: boolean;
  /** For the next `ifVersion`. Null where there is no file now, and for a dry run that would change it. */
  readonly version: string | null;
}

/** What a patch of several files did. */
export interface AppliedPatch {
  /** In the order of the patch, one for each file. */
  readonly files: readonly PatchedFile[];
}

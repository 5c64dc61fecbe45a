import type { TextView, ViewEdit } from "./text-view.js";

/** How a place in a file was recognised, from strict to lenient. */
export type MatchStrategyName =
  | "exact"
  | "trimmed_lines"
  | "folded_space"
  | "flexible_indentation"
  | "look_alikes"
  | "escapes"
  | "block_anchors";

/** A place that was found, and what would be changed there. */
export interface TextMatch {
  /** Where it begins in the view; where it ends. */
  readonly start: number;
  readonly end: number;
  /** Inside of it, in order. */
  readonly edits: readonly ViewEdit[];
}

/** What a strategy found. */
export interface StrategyResult {
  readonly strategy: MatchStrategyName;
  readonly matches: readonly TextMatch[];
}

/** Where in a file to look: lines `from` to before `to`. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** More places than this are not looked for: who wants to change so many wants a command. */
export const maxMatches = 100_000;

/** The whole of a view. */
export function wholeRange(view: TextView): LineRange {
  return { from: 0, to: view.lines.length };
}

import { changedBlock, type FileHunk } from "./file-hunk.js";
import { findAnchor } from "./find-anchor.js";
import { findWindows } from "./find-windows.js";
import { assertNotMasked } from "./masked-text.js";
import { matchBlock } from "./match-change.js";
import { ambiguousError, invalidPatchError, noMatchError } from "./patch-error.js";
import type { PatchContext } from "./patch-context.js";
import type { PlacedChange } from "./place-edit.js";
import { wholeRange, type LineRange, type StrategyResult, type TextMatch } from "./text-match.js";
import type { TextView } from "./text-view.js";

/** How far a file's hunks have come. */
export interface HunkProgress {
  /** The line after the last hunk, from 0: hunks stand in the order of the file, mostly. */
  readonly line: number;
  /** Lines that earlier hunks added, less those that they removed. */
  readonly moved: number;
}

/** Text shorter than this is in a file by accident. */
const minTellingLength = 8;

/** Finds the one place of a hunk. Throws FileError: `no_match`, `ambiguous`, `invalid`. */
export function placeHunk(
  view: TextView,
  hunk: FileHunk,
  progress: HunkProgress,
  context: PatchContext,
): PlacedChange {
  assertNotMasked(view, hunk.block.lines.join("\n"), context);
  const starts = findAnchor(view, hunk.anchors, progress.line, context);
  if (hunk.block.lines.length === 0) return placeInsertion(view, hunk, starts, progress, context);
  const found = search(view, hunk, starts, progress);
  const made = placesOfResult(view, hunk);
  if (
    found === undefined ||
    (found.strategy !== "exact" && made.some((at) => touches(view, at, hunk, found)))
  ) {
    if (made.length === 1) return { strategy: "already_applied", matches: [] };
  }
  if (found === undefined) throw noMatchError(view, hunk.block.lines, context);
  const { strategy, matches } = found;
  const [match] = matches;
  if (match === undefined || matches.length > 1) {
    const hint = 'Give more lines around the change, or "@@" with a line that stands before the right place.';
    throw ambiguousError(view, strategy, matches, context, hint);
  }
  if (strategy === "exact" && made.some((at) => touches(view, at, hunk, found))) {
    return { strategy: "already_applied", matches: [] };
  }
  return { strategy, matches };
}

/** The places that the anchors, the end of the file, the order of hunks and the line's number leave. */
function search(
  view: TextView,
  hunk: FileHunk,
  starts: readonly number[] | undefined,
  progress: HunkProgress,
): StrategyResult | undefined {
  const { length } = hunk.block.lines;
  const whole = wholeRange(view);
  if (hunk.isAtEnd) {
    const from = Math.max(0, whole.to - length);
    return matchBlock(view, hunk.block, { from, to: whole.to });
  }
  if (starts !== undefined) return firstAfterEach(view, hunk, starts, whole);
  const found =
    matchBlock(view, hunk.block, { from: Math.min(progress.line, whole.to), to: whole.to }) ??
    (progress.line > 0 ? matchBlock(view, hunk.block, whole) : undefined);
  if (found === undefined || found.matches.length < 2 || hunk.expectedLine === undefined) return found;
  const expected = view.startOf(hunk.expectedLine + progress.moved);
  const there = found.matches.filter(({ start }) => start === expected);
  return there.length === 1 ? { ...found, matches: there } : found;
}

/** A hunk with an anchor means the first such place after it. Two anchors alike may mean two places. */
function firstAfterEach(
  view: TextView,
  hunk: FileHunk,
  starts: readonly number[],
  whole: LineRange,
): StrategyResult | undefined {
  const found = matchBlock(view, hunk.block, { from: Math.min(...starts), to: whole.to });
  if (found === undefined) return undefined;
  const firsts = starts.flatMap(
    (start) => found.matches.find((match) => match.start >= view.startOf(start)) ?? [],
  );
  return { ...found, matches: [...new Set<TextMatch>(firsts)] };
}

/** Where the lines stand that the hunk is to make. */
function placesOfResult(view: TextView, { block }: FileHunk): readonly number[] {
  const result = changedBlock(block);
  const added = block.changes.flatMap(({ lines }) => lines).join("");
  const telling = result.join("").replace(/\s/g, "").length >= minTellingLength;
  if (!telling || (added.trim() === "" && block.changes.some(({ lines }) => lines.length > 0))) return [];
  return findWindows(view.lines, result, wholeRange(view), 2);
}

/** The result at a line lies over the place that was found, all of it. */
function touches(view: TextView, at: number, hunk: FileHunk, { matches }: StrategyResult): boolean {
  const start = view.startOf(at);
  const end = view.startOf(at + changedBlock(hunk.block).length);
  return matches.every((match) => match.start >= start && match.end <= end);
}

/** A hunk that only adds: its place must be said in another way. */
function placeInsertion(
  view: TextView,
  hunk: FileHunk,
  starts: readonly number[] | undefined,
  progress: HunkProgress,
  context: PatchContext,
): PlacedChange {
  const added = hunk.block.changes.flatMap(({ lines }) => lines);
  const insertAt = (line: number): PlacedChange => {
    const edit = view.lineEdit(line, line, added);
    return { strategy: "exact", matches: [{ start: edit.start, end: edit.end, edits: [edit] }] };
  };
  if (hunk.isAtEnd || view.lines.length === 0) return insertAt(view.lines.length);
  const [start] = starts ?? [];
  if (start !== undefined && starts?.length === 1) return insertAt(start + 1);
  if (starts !== undefined) {
    const matches = starts.map((line) => ({
      start: view.startOf(line),
      end: view.startOf(line + 1),
      edits: [],
    }));
    throw ambiguousError(view, "exact", matches, context, "Give the lines around the new ones.");
  }
  const expected = hunk.expectedLine === undefined ? undefined : hunk.expectedLine + progress.moved;
  if (expected !== undefined && expected >= 0 && expected <= view.lines.length) return insertAt(expected);
  throw invalidPatchError(
    context.path,
    `${context.part} of "${context.path}" adds lines without saying where.`,
    'Give the lines around them, or end the hunk with "*** End of File" to add them there.',
  );
}

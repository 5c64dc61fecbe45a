import { lineDifference, type LineChange } from "./line-difference.js";
import { TextView } from "./text-view.js";

/** The difference of two texts as people read it. */
export interface UnifiedDiff {
  /** `---` and `+++`, then hunks. Empty when the texts are equal. Line ends are shown as `\n`. */
  readonly text: string;
  /** There are more lines than the text has. */
  readonly isCut: boolean;
  readonly linesAdded: number;
  readonly linesRemoved: number;
}

/** The names in the first two lines, and how much to show. */
export interface UnifiedDiffOptions {
  readonly from: string;
  readonly to: string;
  /** Equal lines before and after each change. Default 3. */
  readonly context?: number | undefined;
  /** Lines to show at most. Default 400. */
  readonly maxLines?: number | undefined;
  /** Longer lines are cut. Default 2,000 characters. */
  readonly maxLineLength?: number | undefined;
}

/** Compares two texts by lines. A change of nothing but line ends shows no line. */
export function unifiedDiff(one: string, other: string, options: UnifiedDiffOptions): UnifiedDiff {
  const lines = linesOf(one);
  const others = linesOf(other);
  const changes = lineDifference(lines, others);
  const context = options.context ?? 3;
  const shown = [`--- ${options.from}`, `+++ ${options.to}`];
  const maxLines = options.maxLines ?? 400;
  for (const group of groupChanges(changes, context)) {
    if (shown.length > maxLines) break;
    shown.push(...hunkOf(group, lines, others, context, maxLines));
  }
  const longest = options.maxLineLength ?? 2000;
  const kept = shown.slice(0, maxLines);
  const cut = kept.map((line) => (line.length > longest ? `${line.slice(0, longest)}…` : line));
  return {
    text: changes.length === 0 ? "" : cut.map((line) => `${line}\n`).join(""),
    isCut: kept.length < shown.length || shown.some((line) => line.length > longest),
    linesAdded: changes.reduce((sum, { otherFrom, otherTo }) => sum + otherTo - otherFrom, 0),
    linesRemoved: changes.reduce((sum, { from, to }) => sum + to - from, 0),
  };
}

/** A last line without an end is another line than the same one with it. */
const noLineEnd = "\n\\ No newline at end of file";

function linesOf(text: string): readonly string[] {
  const view = new TextView(text);
  if (view.endsWithLineEnd) return view.lines;
  return view.lines.map((line, at) => (at === view.lines.length - 1 ? line + noLineEnd : line));
}

/** Changes whose lines of context would touch are shown together. */
function groupChanges(changes: readonly LineChange[], context: number): readonly (readonly LineChange[])[] {
  const groups: LineChange[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && change.from - last.to <= 2 * context) group.push(change);
    else groups.push([change]);
  }
  return groups;
}

/** A hunk, or of a large one as many lines as can be shown and one more. */
function hunkOf(
  group: readonly LineChange[],
  lines: readonly string[],
  others: readonly string[],
  context: number,
  maxLines: number,
): readonly string[] {
  const [first] = group;
  const last = group.at(-1);
  if (first === undefined || last === undefined) return [];
  const from = Math.max(0, first.from - context);
  const to = Math.min(lines.length, last.to + context);
  const otherFrom = first.otherFrom - (first.from - from);
  const otherTo = last.otherTo + (to - last.to);
  const shown = [`@@ -${rangeOf(from, to)} +${rangeOf(otherFrom, otherTo)} @@`];
  const show = (sign: string, texts: readonly string[], start: number, end: number): void => {
    for (let at = start; at < end && shown.length <= maxLines; at += 1) {
      shown.push(...`${sign}${texts[at] ?? ""}`.split("\n"));
    }
  };
  let at = from;
  for (const change of group) {
    show(" ", lines, at, change.from);
    show("-", lines, change.from, change.to);
    show("+", others, change.otherFrom, change.otherTo);
    at = change.to;
  }
  show(" ", lines, at, to);
  return shown;
}

/** As `diff -u` writes it: an empty range names the line before it. */
function rangeOf(from: number, to: number): string {
  const count = to - from;
  if (count === 1) return String(from + 1);
  return `${count === 0 ? from : from + 1},${count}`;
}

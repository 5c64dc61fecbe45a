import { lineSimilarity } from "./line-similarity.js";
import type { LineBlock } from "./line-block.js";
import { plainLine } from "./line-keys.js";
import { matchAt } from "./match-lines.js";
import type { LineRange, TextMatch } from "./text-match.js";
import type { TextView } from "./text-view.js";

/** How alike a line must be that stays, one that is changed, and all lines between the anchors on average. */
const thresholds = { kept: 0.5, changed: 0.75, average: 0.75 };

/** With more lines than this between the anchors it would be a rewrite of half a file by its look. */
const maxBlockLines = 500;

/**
 * Finds a block by its first and last line, when the lines between are as many as were given and much like them. A
 * line that was not given can so not be lost, and what is replaced is nearly what was given.
 */
export function matchBlockAnchors(view: TextView, block: LineBlock, within: LineRange): readonly TextMatch[] {
  const wanted = block.lines.map(plainLine);
  const first = wanted[0] ?? "";
  const last = wanted.at(-1) ?? "";
  if (wanted.length < 3 || wanted.length > maxBlockLines) return [];
  if (!/\w.*\w/.test(first) || last === "" || block.changes.length === 0) return [];
  const matches: TextMatch[] = [];
  for (let at = within.from; at + wanted.length <= within.to; at += 1) {
    if (plainLine(view.lines[at] ?? "") !== first) continue;
    const there = view.lines.slice(at, at + wanted.length).map(plainLine);
    if (there.at(-1) !== last || !isAlike(wanted, there, block)) continue;
    const match = matchAt(view, block, at);
    if (match !== undefined) matches.push(match);
  }
  return matches;
}

function isAlike(wanted: readonly string[], there: readonly string[], block: LineBlock): boolean {
  let sum = 0;
  for (let at = 1; at < wanted.length - 1; at += 1) {
    const line = wanted[at] ?? "";
    const other = there[at] ?? "";
    const isChanged = block.changes.some(({ from, to }) => at >= from && at < to);
    const similarity = lineSimilarity(line, other);
    if (similarity < (isChanged ? thresholds.changed : thresholds.kept)) return false;
    // A line that would be replaced and differs in what it quotes or escapes was written for another text.
    if (isChanged && escapesIn(line) !== escapesIn(other)) return false;
    sum += similarity;
  }
  return sum / (wanted.length - 2) >= thresholds.average;
}

function escapesIn(line: string): string {
  return (line.match(/\\["'`\\]/g) ?? []).join("");
}

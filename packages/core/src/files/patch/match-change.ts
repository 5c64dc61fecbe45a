import { unescapeChange } from "./escaped-text.js";
import { blockOf, type LineBlock } from "./line-block.js";
import { foldedLine, plainLine, trimmedLine, unindentedLine, wholeLine } from "./line-keys.js";
import { plainCharacters } from "./look-alike-characters.js";
import { matchBlockAnchors } from "./match-block-anchors.js";
import { matchLines } from "./match-lines.js";
import { matchText, type TextChange } from "./match-text.js";
import {
  wholeRange,
  type LineRange,
  type MatchStrategyName,
  type StrategyResult,
  type TextMatch,
} from "./text-match.js";
import type { TextView } from "./text-view.js";

type Attempt = readonly [MatchStrategyName, () => readonly TextMatch[]];

/**
 * The places of a text, by the strictest strategy that finds any. A more lenient one is never asked to choose between
 * them. Undefined: none finds any.
 */
export function matchChange(view: TextView, change: TextChange, all: boolean): StrategyResult | undefined {
  const block = blockOf(change.find, change.replace);
  const range = wholeRange(view);
  const exact: Attempt = ["exact", () => matchText(view.text, change, all)];
  const lineAttempts = block === undefined ? [] : tolerantAttempts(view, block, range, all);
  const plainText: Attempt = ["look_alikes", () => matchPlainText(view, change, all)];
  const escaped: Attempt = ["escapes", () => matchUnescaped(view, change, all)];
  const anchorsAt = lineAttempts.findIndex(([name]) => name === "block_anchors");
  const before = anchorsAt < 0 ? lineAttempts : lineAttempts.slice(0, anchorsAt);
  const after = anchorsAt < 0 ? [] : lineAttempts.slice(anchorsAt);
  return firstOf([exact, ...before, plainText, escaped, ...after]);
}

/** The places of whole lines, as `matchChange`. */
export function matchBlock(view: TextView, block: LineBlock, within: LineRange): StrategyResult | undefined {
  const exact: Attempt = ["exact", () => matchLines(view, block, wholeLine, within)];
  return firstOf([exact, ...tolerantAttempts(view, block, within, false)]);
}

function tolerantAttempts(
  view: TextView,
  block: LineBlock,
  within: LineRange,
  all: boolean,
): readonly Attempt[] {
  if (!block.lines.some((line) => line.trim() !== "")) return [];
  const attempts: Attempt[] = [
    ["trimmed_lines", () => matchLines(view, block, trimmedLine, within)],
    ["folded_space", () => matchLines(view, block, foldedLine, within)],
    ["flexible_indentation", () => matchLines(view, block, unindentedLine, within)],
    ["look_alikes", () => matchLines(view, block, plainLine, within)],
  ];
  // What is merely similar must not be changed wherever it occurs.
  if (!all) attempts.push(["block_anchors", () => matchBlockAnchors(view, block, within)]);
  return attempts;
}

function matchPlainText(view: TextView, change: TextChange, all: boolean): readonly TextMatch[] {
  const find = plainCharacters(change.find);
  return saysEnough(find) ? matchText(plainCharacters(view.text), change, all, find) : [];
}

function matchUnescaped(view: TextView, change: TextChange, all: boolean): readonly TextMatch[] {
  const unescaped = unescapeChange(change);
  if (unescaped === undefined || !saysEnough(unescaped.find)) return [];
  const matches = matchText(view.text, unescaped, all);
  const block = matches.length > 0 ? undefined : blockOf(unescaped.find, unescaped.replace);
  return block === undefined ? matches : matchLines(view, block, trimmedLine, wholeRange(view));
}

/** A dash or a line end that was meant otherwise is found anywhere. */
function saysEnough(find: string): boolean {
  return find.replace(/\s/g, "").length >= 4;
}

function firstOf(attempts: readonly Attempt[]): StrategyResult | undefined {
  for (const [strategy, attempt] of attempts) {
    const matches = attempt();
    if (matches.length > 0) return { strategy, matches };
  }
  return undefined;
}

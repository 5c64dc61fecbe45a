import { findWindows } from "./find-windows.js";
import { makeIndenter } from "./indenter.js";
import type { LineBlock } from "./line-block.js";
import { wholeLine, type LineKey } from "./line-keys.js";
import { maxMatches, type LineRange, type TextMatch } from "./text-match.js";
import type { TextView } from "./text-view.js";

/** Finds whole lines that are equal in what a key keeps of them. */
export function matchLines(
  view: TextView,
  block: LineBlock,
  key: LineKey,
  within: LineRange,
): readonly TextMatch[] {
  const wanted = block.lines.map(key);
  const lines = key === wholeLine ? view.lines : view.lines.map(key);
  return findWindows(lines, wanted, within, maxMatches).flatMap((at) => {
    const match = matchAt(view, block, at);
    return match === undefined ? [] : [match];
  });
}

/**
 * The match of a block whose lines stand for those of the file from `at` on. New lines get the file's indentation in
 * place of the block's. Undefined where the two indentations do not go together: guessing would change what code means.
 */
export function matchAt(view: TextView, block: LineBlock, at: number): TextMatch | undefined {
  const there = view.lines.slice(at, at + block.lines.length);
  const added = block.changes.flatMap(({ lines }) => lines);
  const indent = makeIndenter(block.lines, there, added, view.lines);
  const edits = [];
  for (const { from, to, lines } of block.changes) {
    const indented = lines.map((line) => indent?.(line));
    if (!indented.every((line) => line !== undefined)) return undefined;
    edits.push(view.lineEdit(at + from, at + to, indented));
  }
  const end = at + block.lines.length;
  return { start: view.startOf(at), end: view.startOf(end), edits };
}

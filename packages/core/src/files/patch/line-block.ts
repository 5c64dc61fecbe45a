import { lineDifference } from "./line-difference.js";

/** Lines of a block, `from` to before `to`, that give way to others. */
export interface BlockChange {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/** Whole lines that are looked for, and what is to be changed in them. Lines that no change touches stay as the file has them. */
export interface LineBlock {
  readonly lines: readonly string[];
  readonly changes: readonly BlockChange[];
}

/** The block of two texts: what to look for, and what is to stand in its place. Undefined when it has nothing but blanks. */
export function blockOf(find: string, replace: string): LineBlock | undefined {
  const { lines, others } = wholeLinesOf(find, replace);
  const [kept, keptOthers] = withoutBlankEdges(lines, others);
  if (!kept.some((line) => line.trim() !== "")) return undefined;
  const changes = lineDifference(kept, keptOthers).map(({ from, to, otherFrom, otherTo }) => ({
    from,
    to,
    lines: keptOthers.slice(otherFrom, otherTo),
  }));
  return { lines: kept, changes };
}

/** A text that ends with a line end is that many lines; the empty text in its place is no line at all. */
function wholeLinesOf(
  find: string,
  replace: string,
): { lines: readonly string[]; others: readonly string[] } {
  if (!find.endsWith("\n")) return { lines: find.split("\n"), others: replace.split("\n") };
  const lines = find.slice(0, -1).split("\n");
  if (replace === "") return { lines, others: [] };
  return { lines, others: (replace.endsWith("\n") ? replace.slice(0, -1) : replace).split("\n") };
}

/** Blank lines at the edges that both have say nothing about the place. */
function withoutBlankEdges(
  lines: readonly string[],
  others: readonly string[],
): readonly [readonly string[], readonly string[]] {
  const isBlank = (line: string | undefined): boolean => line !== undefined && line.trim() === "";
  let head = 0;
  while (isBlank(lines[head]) && isBlank(others[head])) head += 1;
  let tail = 0;
  const room = Math.min(lines.length, others.length) - head;
  while (tail < room && isBlank(lines.at(-1 - tail)) && isBlank(others.at(-1 - tail))) tail += 1;
  return [lines.slice(head, lines.length - tail), others.slice(head, others.length - tail)];
}

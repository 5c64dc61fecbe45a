/** Code points from the first to the last, both in it. */
export type CodeRange = readonly [first: number, last: number];

/** What a pattern says, free of the syntax of any engine. Sets are sorted and never hold a line feed, NUL or surrogates. */
export type PatternNode =
  | { readonly kind: "set"; readonly ranges: readonly CodeRange[] }
  | { readonly kind: "sequence"; readonly nodes: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly nodes: readonly PatternNode[] }
  /** `most` is Infinity where there is no bound. */
  | { readonly kind: "repeat"; readonly node: PatternNode; readonly least: number; readonly most: number }
  | { readonly kind: "start" | "end" | "wordBoundary" };

/** Every character of a line. */
export const anyCharacter: readonly CodeRange[] = [
  [0x01, 0x09],
  [0x0b, 0xd7ff],
  [0xe000, 0x10ffff],
];

/** Sorted, without overlap, and without what no line holds. */
export function normalRanges(ranges: readonly CodeRange[]): readonly CodeRange[] {
  const sorted = ranges.toSorted((one, other) => one[0] - other[0]);
  const merged: [number, number][] = [];
  for (const [first, last] of sorted) {
    const before = merged.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged.flatMap(([first, last]) =>
    anyCharacter.flatMap(([low, high]): readonly CodeRange[] =>
      first <= high && last >= low ? [[Math.max(first, low), Math.min(last, high)]] : [],
    ),
  );
}

/** All characters of a line that are not in these ranges. */
export function otherRanges(ranges: readonly CodeRange[]): readonly CodeRange[] {
  const others: CodeRange[] = [];
  let next = 0;
  for (const [first, last] of normalRanges(ranges)) {
    if (first > next) others.push([next, first - 1]);
    next = last + 1;
  }
  others.push([next, 0x10ffff]);
  return normalRanges(others);
}

/** With each letter its other case, where that is one character. */
export function bothCases(ranges: readonly CodeRange[]): readonly CodeRange[] {
  const all: CodeRange[] = [...ranges];
  for (const [first, last] of ranges) {
    // A larger range is a whole script or the rest of all characters: both cases are in it already.
    for (let code = first; code <= Math.min(last, first + 2000); code += 1) {
      const character = String.fromCodePoint(code);
      for (const other of [character.toLowerCase(), character.toUpperCase()]) {
        const otherCode = other.codePointAt(0);
        if (otherCode === undefined || otherCode === code) continue;
        if (String.fromCodePoint(otherCode) === other) all.push([otherCode, otherCode]);
      }
    }
  }
  return normalRanges(all);
}

export function isInRanges(ranges: readonly CodeRange[], code: number): boolean {
  return ranges.some(([first, last]) => code >= first && code <= last);
}

/** The number of characters with all repetitions written out. */
export function sizeOf(node: PatternNode): number {
  switch (node.kind) {
    case "set":
      return 1;
    case "sequence":
    case "choice":
      return node.nodes.reduce((sum, one) => sum + sizeOf(one), 0);
    case "repeat":
      return (
        sizeOf(node.node) * (node.most === Number.POSITIVE_INFINITY ? Math.max(1, node.least) : node.most)
      );
    default:
      return 0;
  }
}

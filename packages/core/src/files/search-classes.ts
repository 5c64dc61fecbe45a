import { otherRanges, type CodeRange } from "./search-pattern-tree.js";

const digits: readonly CodeRange[] = [[0x30, 0x39]];
const upper: readonly CodeRange[] = [[0x41, 0x5a]];
const lower: readonly CodeRange[] = [[0x61, 0x7a]];
const space: readonly CodeRange[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
];

/** ASCII in every engine, whatever the locale. */
export const namedClasses: Readonly<Record<string, readonly CodeRange[]>> = {
  alnum: [...digits, ...upper, ...lower],
  alpha: [...upper, ...lower],
  blank: [
    [0x09, 0x09],
    [0x20, 0x20],
  ],
  cntrl: [
    [0x01, 0x1f],
    [0x7f, 0x7f],
  ],
  digit: digits,
  graph: [[0x21, 0x7e]],
  lower,
  print: [[0x20, 0x7e]],
  punct: [
    [0x21, 0x2f],
    [0x3a, 0x40],
    [0x5b, 0x60],
    [0x7b, 0x7e],
  ],
  space,
  upper,
  xdigit: [...digits, [0x41, 0x46], [0x61, 0x66]],
};

const word: readonly CodeRange[] = [...digits, ...upper, ...lower, [0x5f, 0x5f]];
/** After a backslash. */
export const classEscapes: Readonly<Record<string, readonly CodeRange[]>> = {
  d: digits,
  w: word,
  s: space,
  D: otherRanges(digits),
  W: otherRanges(word),
  S: otherRanges(space),
};
export const characterEscapes: Readonly<Record<string, number>> = { t: 9, r: 13, f: 12, v: 11 };

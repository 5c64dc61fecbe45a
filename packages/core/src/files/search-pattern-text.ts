import type { CodeRange, PatternNode } from "./search-pattern-tree.js";

/** The pattern as ripgrep reads it. Characters that mean something are all written as numbers. */
export function ripgrepText(node: PatternNode): string {
  return render(node, ripgrepSet, { end: String.raw`\r?$`, boundary: String.raw`(?-u:\b)`, open: "(?:" });
}

/**
 * The pattern as `grep -E` reads it in the C locale, one character a byte: a character that is not ASCII is a sequence of
 * bytes, so what is no UTF-8 fits nothing, as for ripgrep.
 */
export function grepText(node: PatternNode): string {
  return render(node, grepSet, { end: "\r?$", boundary: String.raw`\b`, open: "(" });
}

interface Words {
  readonly end: string;
  readonly boundary: string;
  readonly open: string;
}

function render(node: PatternNode, set: (ranges: readonly CodeRange[]) => string, words: Words): string {
  const inner = (one: PatternNode): string => render(one, set, words);
  switch (node.kind) {
    case "set":
      return set(node.ranges);
    case "sequence":
      return node.nodes.map(inner).join("");
    case "choice":
      return `${words.open}${node.nodes.map(inner).join("|")})`;
    case "repeat": {
      const { least, most } = node;
      const group = `${words.open}${inner(node.node)})`;
      if (least === 0 && most === 1) return `${group}?`;
      if (most === Number.POSITIVE_INFINITY)
        return `${group}${least === 0 ? "*" : least === 1 ? "+" : `{${least},}`}`;
      return `${group}{${least},${most}}`;
    }
    case "start":
      return "^";
    case "end":
      return words.end;
    case "wordBoundary":
      return words.boundary;
  }
}

function ripgrepSet(ranges: readonly CodeRange[]): string {
  const [first] = ranges;
  if (ranges.length === 1 && first !== undefined && first[0] === first[1]) {
    const character = String.fromCodePoint(first[0]);
    return /[A-Za-z0-9_ ]/.test(character) ? character : hex(first[0]);
  }
  return `[${ranges.map(([low, high]) => `${hex(low)}-${hex(high)}`).join("")}]`;
}

function hex(code: number): string {
  return `\\x{${code.toString(16)}}`;
}

function grepSet(ranges: readonly CodeRange[]): string {
  const ascii: number[] = [];
  const choices: string[] = [];
  for (const [first, last] of ranges) {
    for (let code = first; code <= Math.min(last, 0x7f); code += 1) ascii.push(code);
    if (last > 0x7f) choices.push(...byteSequences(Math.max(first, 0x80), last));
  }
  if (ascii.length > 0) choices.unshift(asciiSet(ascii));
  return choices.length === 1 ? (choices[0] ?? "") : `(${choices.join("|")})`;
}

/** In brackets nothing can be escaped: what means something there has its place. */
function asciiSet(codes: readonly number[]): string {
  const characters = codes.map((code) => String.fromCharCode(code));
  const [only = ""] = characters;
  if (characters.length === 1) return /[.[\]{}()*+?^$|\\]/.test(only) ? `\\${only}` : only;
  const special = "]^-[";
  const plain = codes.filter((code) => !special.includes(String.fromCharCode(code)));
  let text = characters.includes("]") ? "]" : "";
  for (let at = 0; at < plain.length;) {
    const first = plain[at] ?? 0;
    let count = 1;
    while (plain[at + count] === first + count) count += 1;
    text += byteRange(first, first + count - 1);
    at += count;
  }
  if (characters.includes("[")) text += "[";
  if (characters.includes("^")) {
    // Only `^` and `-` are in it: a `^` at the beginning would turn the set round.
    if (text === "") return String.raw`(\^|-)`;
    text += "^";
  }
  return `[${text}${characters.includes("-") ? "-" : ""}]`;
}

function byteRange(first: number, last: number): string {
  const from = String.fromCharCode(first);
  return first === last
    ? from
    : last === first + 1
      ? from + String.fromCharCode(last)
      : `${from}-${String.fromCharCode(last)}`;
}

/** The UTF-8 of all characters from one to another, neither of them ASCII, as alternatives of ranges of bytes. */
function byteSequences(first: number, last: number): readonly string[] {
  for (const edge of [0x7ff, 0xffff]) {
    if (first <= edge && last > edge)
      return [...byteSequences(first, edge), ...byteSequences(edge + 1, last)];
  }
  const length = first <= 0x7ff ? 2 : first <= 0xffff ? 3 : 4;
  for (let tail = 1; tail < length; tail += 1) {
    const mask = 2 ** (6 * tail) - 1;
    if (Math.floor(first / (mask + 1)) === Math.floor(last / (mask + 1))) continue;
    // Below the first byte that differs, a range has to be whole.
    if ((first & mask) !== 0)
      return [...byteSequences(first, first | mask), ...byteSequences((first | mask) + 1, last)];
    if ((last & mask) !== mask)
      return [...byteSequences(first, (last & ~mask) - 1), ...byteSequences(last & ~mask, last)];
  }
  const low = Buffer.from(String.fromCodePoint(first));
  const high = Buffer.from(String.fromCodePoint(last));
  const text = Array.from(low, (byte, at) => {
    const other = high[at] ?? byte;
    const range = byteRange(byte, other);
    return byte === other ? range : `[${range}]`;
  });
  return [text.join("")];
}

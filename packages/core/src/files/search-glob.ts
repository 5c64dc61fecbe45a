import { InvalidArgumentError } from "../errors/errors.js";
import { expandBraces } from "./search-braces.js";
import { SearchMatcher } from "./search-matcher.js";
import {
  anyCharacter,
  normalRanges,
  otherRanges,
  type CodeRange,
  type PatternNode,
} from "./search-pattern-tree.js";

/** A glob that decides on the host, so that every engine takes the same files. */
export interface SearchGlob {
  readonly fits: (path: string) => boolean;
  /** A glob of a file's name, only letters, digits and `*`, that fits at least what this one fits; `*` when all. */
  readonly wider: string;
}

const anything: PatternNode = repeat([
  [0x01, 0xd7ff],
  [0xe000, 0x10ffff],
]);
const slash: readonly CodeRange[] = [[0x2f, 0x2f]];

/** Reads a glob with alternatives, `*.{ts,tsx}`: one glob for each. Throws InvalidArgumentError. */
export function parseGlobs(argument: string, glob: string): readonly SearchGlob[] {
  if (typeof glob !== "string") return [parseGlob(argument, glob)];
  return expandBraces(argument, glob).map((one) => parseGlob(argument, one));
}

/**
 * Reads a glob: `*` and `?` within a name, `**` over directories, `[…]`, `[!…]`, and a backslash before what stands for
 * itself. With a `/` in it the whole path counts, else the name. Throws InvalidArgumentError.
 */
function parseGlob(argument: string, glob: string): SearchGlob {
  if (typeof glob !== "string" || glob === "" || glob.includes("\0")) {
    throw new InvalidArgumentError(argument, "A glob is empty, or holds a NUL.", {
      operation: "search",
      hint: 'Give one like "*.ts" or "src/**/*.ts".',
    });
  }
  const isPath = glob.includes("/");
  const text = glob.replace(/^\.?\//, "");
  const matcher = new SearchMatcher({
    kind: "sequence",
    nodes: [{ kind: "start" }, ...globNodes(argument, text), { kind: "end" }],
  });
  return {
    fits: (path) => matcher.find(plain(isPath ? path : path.slice(path.lastIndexOf("/") + 1))) === 0,
    wider: wider(text.slice(text.lastIndexOf("/") + 1)),
  };
}

/** The matcher knows no line feed and no byte that is no UTF-8; the first are rare in names, and both fit `*` and `?`. */
function plain(path: string): string {
  return path.replaceAll(/[\n\r\ud800-\udfff]/gu, "\u{fffd}");
}

function globNodes(argument: string, text: string): readonly PatternNode[] {
  const nodes: PatternNode[] = [];
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at);
    const found = /^(\*\*\/|\*+|\?|\[[!^]?\]?[^\]]*\]|\\?[^])/u.exec(rest)?.[0] ?? rest;
    at += found.length;
    if (found === "**/") {
      nodes.push({
        kind: "repeat",
        least: 0,
        most: 1,
        node: { kind: "sequence", nodes: [anything, set(slash)] },
      });
    } else if (found.startsWith("**")) nodes.push(anything);
    else if (found === "*") nodes.push(repeat(otherRanges(slash)));
    else if (found === "?") nodes.push(set(otherRanges(slash)));
    else if (found.startsWith("[") && found.length > 2)
      nodes.push(set(classOf(argument, found.slice(1, -1))));
    else nodes.push(set(single(plain(found.startsWith("\\") && found.length > 1 ? found.slice(1) : found))));
  }
  return nodes;
}

function classOf(argument: string, text: string): readonly CodeRange[] {
  const isNegated = /^[!^]/.test(text);
  const characters = Array.from(isNegated ? text.slice(1) : text);
  const ranges: CodeRange[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const first = characters[at]?.codePointAt(0) ?? 0;
    const last = characters[at + 1] === "-" ? characters[at + 2]?.codePointAt(0) : undefined;
    ranges.push([first, last ?? first]);
    if (last !== undefined) at += 2;
  }
  const all = isNegated ? otherRanges([...ranges, ...slash]) : normalRanges(ranges);
  if (all.length > 0) return all;
  throw new InvalidArgumentError(argument, `The class [${text}] of the glob holds nothing.`, {
    operation: "search",
    hint: "Write it like `[a-z]`; a `[` itself is `\\[`.",
  });
}

function wider(name: string): string {
  return name
    .replaceAll(/\[[^\]]*\]?[^\]]*\]|\\./gu, "*")
    .replaceAll(/[^A-Za-z0-9_.*]/gu, "*")
    .replaceAll(/\*+/g, "*");
}

function single(character: string): readonly CodeRange[] {
  const code = character.codePointAt(0) ?? 0;
  return normalRanges([[code, code]]);
}

function set(ranges: readonly CodeRange[]): PatternNode {
  return { kind: "set", ranges };
}

function repeat(ranges: readonly CodeRange[]): PatternNode {
  return {
    kind: "repeat",
    node: set(ranges.length === 0 ? anyCharacter : ranges),
    least: 0,
    most: Number.POSITIVE_INFINITY,
  };
}

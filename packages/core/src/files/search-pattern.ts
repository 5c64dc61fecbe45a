import { InvalidArgumentError } from "../errors/errors.js";
import { characterEscapes, classEscapes, namedClasses } from "./search-classes.js";
import {
  anyCharacter,
  bothCases,
  normalRanges,
  otherRanges,
  sizeOf,
  type CodeRange,
  type PatternNode,
} from "./search-pattern-tree.js";

/** The most a pattern may be, with its repetitions written out. */
const maxSize = 2000;
const maxRepeat = 255;

/**
 * Reads the pattern of a search: what POSIX extended expressions and ripgrep both know, with the classes `\d \w \s`
 * (ASCII), `\b`, and `(?:…)`. Throws InvalidArgumentError for all else, naming what to write instead.
 */
export function parsePattern(
  pattern: string,
  options: { readonly literal: boolean; readonly ignoreCase: boolean },
): PatternNode {
  if (typeof pattern !== "string" || pattern === "")
    throw refused("The pattern is empty.", "Say what to look for.");
  if (/[\n\0]/.test(pattern)) {
    throw refused(
      "The pattern holds a line feed or a NUL.",
      "A match is within one line: look for one line of it.",
    );
  }
  const parser = new PatternParser(pattern, options.ignoreCase);
  const tree = options.literal ? parser.literal() : parser.whole();
  if (sizeOf(tree) > maxSize) {
    throw refused("The pattern is too large.", `Written out it may have ${maxSize} characters.`);
  }
  return tree;
}

class PatternParser {
  readonly #characters: readonly string[];
  readonly #ignoreCase: boolean;
  #at = 0;
  #depth = 0;

  constructor(pattern: string, ignoreCase: boolean) {
    this.#characters = Array.from(pattern);
    this.#ignoreCase = ignoreCase;
  }

  literal(): PatternNode {
    return { kind: "sequence", nodes: this.#characters.map((character) => this.#character(character)) };
  }

  whole(): PatternNode {
    const tree = this.#choice();
    if (this.#at < this.#characters.length)
      throw refused("A `)` closes nothing.", "Write `\\)` for the character.");
    return tree;
  }

  #choice(): PatternNode {
    const nodes = [this.#sequence()];
    while (this.#take("|")) nodes.push(this.#sequence());
    const [only] = nodes;
    return nodes.length === 1 && only !== undefined ? only : { kind: "choice", nodes };
  }

  #sequence(): PatternNode {
    const nodes: PatternNode[] = [];
    for (;;) {
      const next = this.#characters[this.#at];
      if (next === undefined || next === "|" || next === ")") break;
      nodes.push(this.#repeated(this.#one()));
    }
    if (nodes.length === 0)
      throw refused("A group or a side of `|` is empty.", "Write `(…)?` for what may be missing.");
    return { kind: "sequence", nodes };
  }

  #repeated(node: PatternNode): PatternNode {
    const bounds = this.#bounds();
    if (bounds === undefined) return node;
    if (node.kind === "start" || node.kind === "end" || node.kind === "wordBoundary") {
      throw refused("A place (`^`, `$`, `\\b`) is repeated.", "Take the repetition away.");
    }
    // Whether a line matches, and where first, is the same for a reluctant repetition.
    this.#take("?");
    if ("*+".includes(this.#characters[this.#at] ?? " ")) {
      throw refused("A repetition is repeated.", "Put the inner one in a group: `(a*)*`.");
    }
    return { kind: "repeat", node, ...bounds };
  }

  #bounds(): { readonly least: number; readonly most: number } | undefined {
    if (this.#take("*")) return { least: 0, most: Number.POSITIVE_INFINITY };
    if (this.#take("+")) return { least: 1, most: Number.POSITIVE_INFINITY };
    if (this.#take("?")) return { least: 0, most: 1 };
    if (this.#characters[this.#at] !== "{") return undefined;
    const text = this.#characters.slice(this.#at, this.#at + 16).join("");
    const found = /^\{(\d+)(,(\d*))?\}/.exec(text);
    if (found === null)
      throw refused("A `{` begins no repetition.", "Write `\\{` for the character, `{2,5}` to repeat.");
    const least = Number(found[1]);
    const most =
      found[2] === undefined ? least : found[3] === "" ? Number.POSITIVE_INFINITY : Number(found[3]);
    if (
      least > maxRepeat ||
      (most !== Number.POSITIVE_INFINITY && most > maxRepeat) ||
      most < least ||
      most === 0
    ) {
      throw refused(
        `The repetition ${found[0]} cannot be.`,
        `Its numbers go from 0 to ${maxRepeat}, the larger last.`,
      );
    }
    this.#at += found[0].length;
    return { least, most };
  }

  #one(): PatternNode {
    const character = this.#next();
    switch (character) {
      case ".":
        return { kind: "set", ranges: anyCharacter };
      case "^":
        return { kind: "start" };
      case "$":
        return { kind: "end" };
      case "(":
        return this.#group();
      case "[":
        return this.#class();
      case "\\":
        return this.#escape();
      case "*":
      case "+":
      case "?":
      case "{":
        throw refused(
          `There is nothing to repeat before \`${character}\`.`,
          `Write \`\\${character}\` for the character.`,
        );
      default:
        return this.#character(character);
    }
  }

  #group(): PatternNode {
    if (this.#take("?") && !this.#take(":")) {
      const hint =
        "Look-around, flags and names are not in all engines. Write `(…)`, and use `ignoreCase` for `(?i)`.";
      throw refused(`\`(?${this.#characters[this.#at] ?? ""}\` is not known here.`, hint);
    }
    this.#depth += 1;
    if (this.#depth > 100) throw refused("Groups are more than 100 deep.", "Write it flatter.");
    const node = this.#choice();
    this.#depth -= 1;
    if (!this.#take(")")) throw refused("A `(` is not closed.", "Write `\\(` for the character.");
    return node;
  }

  #escape(): PatternNode {
    const character = this.#next();
    if (character === "b") return { kind: "wordBoundary" };
    return { kind: "set", ranges: this.#cased(this.#escaped(character)) };
  }

  /** What a backslash and a character stand for. */
  #escaped(character: string): readonly CodeRange[] {
    const ranges = classEscapes[character];
    if (ranges !== undefined) return ranges;
    const code = characterEscapes[character];
    if (code !== undefined) return [[code, code]];
    if (character === "")
      throw refused("The pattern ends with a backslash.", "Write `\\\\` for the character.");
    if (/[1-9]/.test(character))
      throw refused(`\`\\${character}\` refers back.`, "No engine but some can: write it out.");
    if (/[a-zA-Z0-9<>]/.test(character)) {
      throw refused(
        `\`\\${character}\` is not known here.`,
        "Known are \\d \\w \\s \\D \\W \\S \\b \\t \\r \\f \\v; write others out.",
      );
    }
    return single(character);
  }

  #class(): PatternNode {
    const isNegated = this.#take("^");
    const ranges: CodeRange[] = [];
    for (let isFirst = true; isFirst || this.#characters[this.#at] !== "]"; isFirst = false) {
      const member = this.#member();
      const isRange = this.#characters[this.#at] === "-" && this.#characters[this.#at + 1] !== "]";
      if (!isRange) {
        ranges.push(...member);
        continue;
      }
      this.#at += 1;
      const [first] = member;
      const [last] = this.#member();
      if (
        first === undefined ||
        last === undefined ||
        first[0] !== first[1] ||
        last[0] !== last[1] ||
        first[0] > last[0]
      ) {
        throw refused(
          "A range of a class goes from nothing to nothing.",
          "Write `[a-z]`; a `-` itself goes last.",
        );
      }
      ranges.push([first[0], last[0]]);
    }
    this.#at += 1;
    const cased = this.#cased(normalRanges(ranges));
    const all = isNegated ? otherRanges(cased) : cased;
    if (all.length === 0) throw refused("A class holds no character.", "Put one into it.");
    return { kind: "set", ranges: all };
  }

  #member(): readonly CodeRange[] {
    const character = this.#next();
    if (character === "") throw refused("A `[` is not closed.", "Write `\\[` for the character.");
    if (character === "\\") return this.#escaped(this.#next());
    if (character !== "[") return single(character);
    const found = /^([:.=])(\^?[a-z]*)\1\]/.exec(this.#characters.slice(this.#at, this.#at + 16).join(""));
    if (found === null) return single(character);
    const ranges = found[1] === ":" ? namedClasses[found[2] ?? ""] : undefined;
    if (ranges === undefined)
      throw refused(`\`[${found[0]}\` names no class.`, "Write one like `[[:alpha:]]`.");
    this.#at += found[0].length;
    return ranges;
  }

  #character(character: string): PatternNode {
    return { kind: "set", ranges: this.#cased(single(character)) };
  }

  #cased(ranges: readonly CodeRange[]): readonly CodeRange[] {
    return this.#ignoreCase ? bothCases(ranges) : ranges;
  }

  #next(): string {
    const character = this.#characters[this.#at] ?? "";
    this.#at += 1;
    return character;
  }

  #take(character: string): boolean {
    if (this.#characters[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }
}

function single(character: string): readonly CodeRange[] {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0xd800 && code <= 0xdfff)
    throw refused("The pattern is no well-formed text.", "Give it in whole characters.");
  return [[code, code]];
}

function refused(what: string, hint: string): InvalidArgumentError {
  return new InvalidArgumentError("pattern", what, {
    operation: "search",
    hint: `${hint} With \`literal: true\` the pattern is the text itself.`,
  });
}

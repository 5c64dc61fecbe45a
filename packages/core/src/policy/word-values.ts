import type { Word, WordPart } from "unbash";
import { braceItems } from "./brace-expansion.js";
import { asUnquoted, marks } from "./marks.js";
import { expandParameter } from "./parameter-expansion.js";
import { maximalValues, type Scope } from "./scope.js";

/** A word with more parts, or a longer one, is not told. */
const maximalParts = 4_000;
const maximalLength = 1_048_576;

/** Who runs the scripts inside words, and parses text as words. */
export interface WordRunner {
  /** Analyses a `$(…)` and returns what it prints. */
  substitute(part: Extract<WordPart, { type: "CommandExpansion" }>, scope: Scope): string;
  /** Analyses a `<(…)` and returns the name of the file it makes. */
  processFile(part: Extract<WordPart, { type: "ProcessSubstitution" }>, scope: Scope): string;
  /** Analyses the scripts inside arithmetic. */
  arithmetic(part: Extract<WordPart, { type: "ArithmeticExpansion" }>, scope: Scope): void;
  /** Reads text as one word. */
  parseWord(text: string): Word | undefined;
  /** Some of the text is not looked at. */
  tooLong(): void;
}

/** Every value that a word may have, with marks. A word that cannot be told has the mark `unknown` in it. */
export function valuesOfWord(word: Word, scope: Scope, runner: WordRunner): readonly string[] {
  const { parts } = word;
  if (parts === undefined) return [withHome(word.text, word.value, scope)];
  if (parts.length > maximalParts) {
    runner.tooLong();
    return [marks.unknown];
  }
  let values: readonly string[] = [""];
  for (const [index, part] of parts.entries()) {
    const more =
      index === 0 && part.type === "Literal"
        ? [withHome(part.text, part.value, scope)]
        : valuesOfPart(part, scope, runner, false);
    values = combine(values, more);
  }
  return values;
}

/** The words that the shell makes of one. */
export function fieldsOfWord(word: Word, scope: Scope, runner: WordRunner): readonly string[] {
  return toFields(valuesOfWord(word, scope, runner), word.text);
}

function toFields(values: readonly string[], source: string): readonly string[] {
  const fields = values.flatMap((value) =>
    value.includes(marks.split) ? value.split(marks.split).filter((field) => field !== "") : [value],
  );
  // An unquoted empty expansion is no word at all, a quoted one is an empty word.
  return /["']/u.test(source) ? fields : fields.filter((field) => field !== "");
}

/** A word's value where the shell does not split: assignments, redirections, heredocs. */
export function textOfParts(parts: readonly WordPart[], scope: Scope, runner: WordRunner): string {
  if (parts.length > maximalParts) {
    runner.tooLong();
    return marks.unknown;
  }
  return parts.map((part) => valuesOfPart(part, scope, runner, true)[0] ?? "").join("");
}

function valuesOfPart(
  part: WordPart,
  scope: Scope,
  runner: WordRunner,
  isQuoted: boolean,
): readonly string[] {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [part.value];
    case "DoubleQuoted":
    case "LocaleString": {
      let values: readonly string[] = [""];
      for (const child of part.parts) values = combine(values, valuesOfPart(child, scope, runner, true));
      return values;
    }
    case "Glob":
      return [globValue(part)];
    case "ExtendedGlob":
      return /^[\w./-]+(\|[\w./-]+)*$/u.test(part.pattern) && part.operator !== "!"
        ? part.pattern.split("|")
        : [marks.star];
    case "SimpleExpansion":
      return unquotedUnless(isQuoted, scope.valuesOf(part.text.slice(1)), scope);
    case "ParameterExpansion":
      return unquotedUnless(isQuoted, expandParameter(part, scope, operands(scope, runner)), scope);
    case "CommandExpansion":
      return unquotedUnless(isQuoted, [runner.substitute(part, scope)], scope);
    case "ProcessSubstitution":
      return [runner.processFile(part, scope)];
    case "ArithmeticExpansion":
      runner.arithmetic(part, scope);
      return [arithmeticValue(part.text)];
    case "BraceExpansion":
      return braceValues(part.text, scope, runner);
  }
}

function operands(scope: Scope, runner: WordRunner): (word: Word) => readonly string[] {
  return (word) => valuesOfWord(word, scope, runner);
}

function braceValues(text: string, scope: Scope, runner: WordRunner): readonly string[] {
  const items = braceItems(text);
  if (items === undefined) return [text];
  const values = items.flatMap((item) => {
    if (item === "") return [""];
    const word = runner.parseWord(item);
    return word === undefined ? [marks.unknown] : valuesOfWord(word, scope, runner);
  });
  return values.slice(0, maximalValues);
}

function globValue(part: Extract<WordPart, { type: "Glob" }>): string {
  if (part.kind === "star") return marks.star;
  // `/bin/[r]m` is a way to write rm.
  const single = /^\[([^!^\]])\]$/u.exec(part.text);
  return part.kind === "bracket" && single !== null ? (single[1] ?? marks.question) : marks.question;
}

/** `$((0-1))`, `$((9))`: a number that can be told is told. */
function arithmeticValue(text: string): string {
  const sum = /^\$\(\(\s*([+-]?\d{1,9})\s*(?:([+-])\s*(\d{1,9}))?\s*\)\)$/u.exec(text);
  if (sum === null) return marks.unknown;
  const right = Number(sum[3] ?? 0);
  return String(Number(sum[1]) + (sum[2] === "-" ? -right : right));
}

function unquotedUnless(isQuoted: boolean, values: readonly string[], scope: Scope): readonly string[] {
  if (isQuoted) return values;
  const separators = scope.variables.get("IFS")?.[0];
  return values.map((value) => asUnquoted(value, separators));
}

function combine(left: readonly string[], right: readonly string[]): readonly string[] {
  if (right.length === 1 && left.length === 1) return [joined(left[0] ?? "", right[0] ?? "")];
  const all = left.flatMap((one) => right.map((other) => joined(one, other)));
  return all.length <= maximalValues ? all : [...all.slice(0, maximalValues), marks.unknown];
}

/** `x=$x$x` again and again doubles each time. */
export function joined(left: string, right: string): string {
  return left.length + right.length > maximalLength ? marks.unknown : left + right;
}

function withHome(text: string, value: string, scope: Scope): string {
  if (!text.startsWith("~")) return value;
  if (value === "~" || value.startsWith("~/")) return scope.home + value.slice(1);
  const other = /^~([a-z_][\w-]*)(\/.*)?$/u.exec(value);
  if (other === null) return value;
  return `${other[1] === "root" ? "/root" : `/home/${other[1] ?? ""}`}${other[2] ?? ""}`;
}

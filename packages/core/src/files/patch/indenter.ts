import { indentationOf } from "./line-keys.js";

/** Gives a new line the indentation that its file would have. Undefined: it cannot be told. */
export type Indenter = (line: string) => string | undefined;

/** One line's indentation as it was written, and as the file has it. */
type Pair = readonly [written: string, there: string];

/**
 * Learns from lines that stand for each other how indentation as it was written becomes that of the file: the same, by
 * another unit (two spaces, four, a tab), or deeper or shallower by a constant. Undefined when one indentation as it was
 * written is several ones in the file: new lines would have to be guessed.
 */
export function makeIndenter(
  written: readonly string[],
  there: readonly string[],
  added: readonly string[],
  file: readonly string[],
): Indenter | undefined {
  const pairs = pairsOf(written, there);
  if (pairs.every(([one, other]) => one === other)) return (line) => line;
  if (!isFunction(pairs)) return undefined;
  const writtenUnit = unitOf([...written, ...added]);
  const rule = unitRule(pairs, writtenUnit, unitOf(there) ?? unitOf(file)) ?? shiftRule(pairs);
  return (line) => {
    if (line.trim() === "") return "";
    const indentation = indentationOf(line);
    const known = pairs.find(([one]) => one === indentation);
    const made = known?.[1] ?? rule?.(indentation);
    return made === undefined ? undefined : made + line.slice(indentation.length);
  };
}

function pairsOf(written: readonly string[], there: readonly string[]): readonly Pair[] {
  return written.flatMap((line, at): Pair[] => {
    const other = there[at] ?? "";
    return line.trim() === "" || other.trim() === "" ? [] : [[indentationOf(line), indentationOf(other)]];
  });
}

/** One indentation as written is always the same one in the file. */
function isFunction(pairs: readonly Pair[]): boolean {
  const known = new Map<string, string>();
  for (const [one, other] of pairs) {
    if ((known.get(one) ?? other) !== other) return false;
    known.set(one, other);
  }
  return true;
}

type Rule = (indentation: string) => string | undefined;

/** Levels of one unit become levels of another. White space beyond the last whole level stays as it is. */
function unitRule(
  pairs: readonly Pair[],
  writtenUnit: string | undefined,
  fileUnit: string | undefined,
): Rule | undefined {
  if (fileUnit === undefined) return undefined;
  const unit = writtenUnit ?? unitBeside(pairs, fileUnit);
  if (unit === undefined || unit === fileUnit) return undefined;
  const shifts = new Set(pairs.map(([one, other]) => levelsOf(other, fileUnit) - levelsOf(one, unit)));
  const [shift] = shifts;
  if (shift === undefined || shifts.size > 1 || !Number.isInteger(shift)) return undefined;
  return (indentation) => {
    const whole = Math.floor(indentation.length / unit.length);
    const rest = indentation.slice(whole * unit.length);
    if (indentation !== unit.repeat(whole) + rest || whole + shift < 0) return undefined;
    return fileUnit.repeat(whole + shift) + rest;
  };
}

/** What a tab is worth where all that was written stands on one level. */
function unitBeside(pairs: readonly Pair[], fileUnit: string): string | undefined {
  if (fileUnit !== "\t") return undefined;
  const [one, other] = pairs.find((pair) => pair[0] !== "" && pair[1] !== "") ?? ["", ""];
  const width = one.length / Math.max(1, other.length);
  return Number.isInteger(width) && width > 0 ? " ".repeat(width) : undefined;
}

/** Every line is deeper, or every line is shallower, by the same white space. */
function shiftRule(pairs: readonly Pair[]): Rule | undefined {
  const [first] = pairs;
  if (first === undefined) return undefined;
  const [one, other] = first;
  if (other.endsWith(one)) {
    const more = other.slice(0, other.length - one.length);
    return pairs.every((pair) => pair[1] === more + pair[0])
      ? (indentation) => more + indentation
      : undefined;
  }
  const less = one.slice(0, one.length - other.length);
  if (less + other !== one || !pairs.every((pair) => pair[0] === less + pair[1])) return undefined;
  return (indentation) => (indentation.startsWith(less) ? indentation.slice(less.length) : undefined);
}

/** NaN when it is no whole number of units. */
function levelsOf(indentation: string, unit: string): number {
  const levels = indentation.length / unit.length;
  return indentation === unit.repeat(Math.floor(levels)) ? levels : Number.NaN;
}

/** What lines are indented by: a tab, or as many spaces as the smallest step between two of them. */
function unitOf(lines: readonly string[]): string | undefined {
  let unit = 0;
  let last: number | undefined;
  for (const line of lines) {
    const { length } = indentationOf(line);
    if (line.length === length) continue;
    if (line.startsWith("\t")) return "\t";
    const step = Math.abs(length - (last ?? length));
    // One space is how comments and wrapped lines stand out, not a unit.
    if (step > 1 && (unit === 0 || step < unit)) unit = step;
    last = length;
  }
  return unit === 0 ? undefined : " ".repeat(unit);
}

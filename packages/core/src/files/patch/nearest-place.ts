import { plainLine, unindentedLine } from "./line-keys.js";
import { lineSimilarity } from "./line-similarity.js";
import { showLine, type PatchContext } from "./patch-context.js";
import type { TextView } from "./text-view.js";

/** Lines that are compared one by one when none is the same. */
const maxCompared = 20_000;
const maxShown = 3;
const minSimilarity = 0.4;

/** The place of a file that is most like some lines, and how it differs, in words. Empty when nothing is like them. */
export function describeNearestPlace(
  view: TextView,
  wanted: readonly string[],
  context: PatchContext,
): string {
  const lines = withoutBlankEnds(wanted);
  const at = placeByEqualLines(view, lines) ?? placeByLikeness(view, lines);
  if (at === undefined) return "";
  const first = Math.max(0, at);
  const last = Math.min(view.lines.length, at + lines.length);
  const differences: string[] = [];
  let count = 0;
  for (const [index, line] of lines.entries()) {
    const there = at + index < 0 ? undefined : view.lines[at + index];
    if (there === line) continue;
    count += 1;
    if (count > maxShown) continue;
    differences.push(describeDifference(at + index, line, there, context));
  }
  if (count === 0) return "";
  const where = last - first > 1 ? `lines ${first + 1} to ${last}` : `line ${first + 1}`;
  const more = count > maxShown ? ` ${count - maxShown} more lines differ.` : "";
  return `The nearest place is ${where}. ${differences.join(" ")}${more}`;
}

function describeDifference(
  at: number,
  wanted: string,
  there: string | undefined,
  { redact }: PatchContext,
): string {
  if (there === undefined) return `The file has no line for ${showLine(wanted)}.`;
  const shown = `Line ${at + 1} is ${showLine(redact(there))}, not ${showLine(wanted)}`;
  const why = kindOfDifference(wanted, there);
  return why === "" ? `${shown}.` : `${shown} (${why}).`;
}

function kindOfDifference(wanted: string, there: string): string {
  if (unindentedLine(wanted) === unindentedLine(there)) return "only white space differs";
  if (plainLine(wanted) === plainLine(there)) return "only look-alike characters differ";
  if (wanted.toLowerCase() === there.toLowerCase()) return "only upper and lower case differ";
  return "";
}

/** The start that most lines agree on, longer ones counting more. */
function placeByEqualLines(view: TextView, wanted: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  for (const [at, line] of wanted.entries()) {
    const key = plainLine(line);
    if (key.length > 1) places.set(key, [...(places.get(key) ?? []).slice(0, 9), at]);
  }
  const votes = new Map<number, number>();
  for (const [at, line] of view.lines.entries()) {
    const key = plainLine(line);
    for (const index of places.get(key) ?? []) {
      const start = at - index;
      votes.set(start, (votes.get(start) ?? 0) + Math.min(key.length, 100));
    }
  }
  return best(votes);
}

/** Where the line stands that is most like the longest one. */
function placeByLikeness(view: TextView, wanted: readonly string[]): number | undefined {
  const longest = wanted.reduce((one, other) => (other.trim().length > one.trim().length ? other : one), "");
  const key = plainLine(longest);
  const votes = new Map<number, number>();
  for (const [at, line] of view.lines.slice(0, maxCompared).entries()) {
    const there = plainLine(line);
    // A part of a line is like that line, however long it is.
    const similarity =
      key !== "" && there.toLowerCase().includes(key.toLowerCase()) ? 1 : lineSimilarity(key, there);
    if (similarity >= minSimilarity) votes.set(at - wanted.indexOf(longest), similarity);
  }
  return best(votes);
}

function best(votes: ReadonlyMap<number, number>): number | undefined {
  let found: number | undefined;
  let most = 0;
  for (const [at, count] of votes) {
    if (count <= most) continue;
    most = count;
    found = at;
  }
  return found;
}

function withoutBlankEnds(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return first < 0 ? lines : lines.slice(first, last + 1);
}

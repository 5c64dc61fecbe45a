import { editDistance } from "../provider/nearest-name.js";

const mostNames = 5;
/** Comparing longer names would cost more than a hint is worth. */
const longestCompared = 120;

/**
 * Names that may have been meant: first one that is the same in another Unicode form or case, then the nearest. At most
 * five.
 */
export function similarNames(wanted: string, names: readonly string[]): readonly string[] {
  const folded = fold(wanted);
  const ranked = names
    .filter((name) => name !== "" && name !== "." && name !== ".." && name.length <= longestCompared)
    .map((name) => ({ name, distance: distance(folded, fold(name)) }))
    .filter(
      ({ name, distance: far }) => far <= Math.max(1, Math.floor(Math.max(wanted.length, name.length) / 3)),
    )
    .toSorted((one, other) => one.distance - other.distance);
  return ranked.slice(0, mostNames).map(({ name }) => name);
}

function fold(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}

function distance(wanted: string, name: string): number {
  if (wanted === name) return 0;
  if (wanted.length > longestCompared) return Infinity;
  const stem = (text: string): string => text.replace(/\.[^.]*$/, "");
  // `notes.md` for `notes.txt`: the same name of another kind is nearer than any slip of the pen.
  if (stem(wanted) === stem(name) && stem(name) !== "") return 0.5;
  return editDistance(wanted, name);
}

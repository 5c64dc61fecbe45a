/** The number of insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
export function editDistance(left: string, right: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      let best = Math.min(
        (previous[column] ?? Infinity) + 1,
        (current[column - 1] ?? Infinity) + 1,
        (previous[column - 1] ?? Infinity) + (same ? 0 : 1),
      );
      if (
        row > 1 &&
        column > 1 &&
        left[row - 1] === right[column - 2] &&
        left[row - 2] === right[column - 1]
      ) {
        best = Math.min(best, (beforePrevious[column - 2] ?? Infinity) + 1);
      }
      current.push(best);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[right.length] ?? left.length;
}

/** Longer texts are no typing slip, and comparing them would cost quadratic time. */
const longestCompared = 120;

/** The candidate that was probably meant: at most a third of it differs. Undefined when none is near. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > longestCompared) return undefined;
  let nearest: string | undefined;
  let least = Infinity;
  for (const candidate of candidates) {
    const distance = editDistance(name, candidate);
    if (distance < least && distance <= Math.max(1, Math.floor(candidate.length / 3))) {
      nearest = candidate;
      least = distance;
    }
  }
  return nearest;
}

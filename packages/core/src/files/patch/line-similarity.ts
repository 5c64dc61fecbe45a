/** Characters of a line that are looked at. */
const maxLength = 400;

/** How alike two lines are, from 0 to 1: by the pairs of neighbouring characters that they share (Dice's coefficient). */
export function lineSimilarity(one: string, other: string): number {
  if (one === other) return 1;
  const first = one.slice(0, maxLength);
  const second = other.slice(0, maxLength);
  if (first.length < 2 || second.length < 2) return 0;
  const pairs = new Map<string, number>();
  for (let at = 0; at < first.length - 1; at += 1) {
    const pair = first.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  let shared = 0;
  for (let at = 0; at < second.length - 1; at += 1) {
    const pair = second.slice(at, at + 2);
    const left = pairs.get(pair) ?? 0;
    if (left === 0) continue;
    pairs.set(pair, left - 1);
    shared += 1;
  }
  return (2 * shared) / (first.length + second.length - 2);
}

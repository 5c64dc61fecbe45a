/** Lines `from` to before `to` of the one text stand where `otherFrom` to before `otherTo` of the other stand. */
export interface LineChange {
  readonly from: number;
  readonly to: number;
  readonly otherFrom: number;
  readonly otherTo: number;
}

/** More differences than this are taken as one large one: the search would need their square in memory. */
const maxDifferences = 1000;

/** What makes one list of lines out of another: the fewest lines, by Myers' greedy algorithm, as far as that is cheap. */
export function lineDifference(one: readonly string[], other: readonly string[]): readonly LineChange[] {
  let head = 0;
  while (head < one.length && head < other.length && one[head] === other[head]) head += 1;
  let tail = 0;
  const room = Math.min(one.length, other.length) - head;
  while (tail < room && one[one.length - 1 - tail] === other[other.length - 1 - tail]) tail += 1;
  const inner = one.slice(head, one.length - tail);
  const otherInner = other.slice(head, other.length - tail);
  return innerDifference(inner, otherInner).map((change) => ({
    from: change.from + head,
    to: change.to + head,
    otherFrom: change.otherFrom + head,
    otherTo: change.otherTo + head,
  }));
}

function innerDifference(one: readonly string[], other: readonly string[]): readonly LineChange[] {
  if (one.length === 0 && other.length === 0) return [];
  const whole = { from: 0, to: one.length, otherFrom: 0, otherTo: other.length };
  if (one.length === 0 || other.length === 0) return [whole];
  const steps = furthestSteps(one, other);
  return steps === undefined ? [whole] : changesOf(steps, one.length, other.length);
}

/** For each number of differences the furthest points reached on each diagonal, until the end is reached. */
function furthestSteps(one: readonly string[], other: readonly string[]): readonly Int32Array[] | undefined {
  const limit = Math.min(maxDifferences, one.length + other.length);
  const steps: Int32Array[] = [];
  let before = new Int32Array(3);
  for (let count = 0; count <= limit; count += 1) {
    // Diagonal k is at k + count + 1, so that its neighbours are always inside.
    const now = new Int32Array(2 * count + 3);
    for (let k = -count; k <= count; k += 2) {
      let x = count === 0 ? 0 : startOn(before, k, count);
      while (x < one.length && x - k < other.length && one[x] === other[x - k]) x += 1;
      now[k + count + 1] = x;
      if (x >= one.length && x - k >= other.length) return [...steps, now];
    }
    steps.push(now);
    before = now;
  }
  return undefined;
}

/** Where a diagonal is entered: one line of the other down from above, or one line of the one on from the left. */
function startOn(before: Int32Array, k: number, count: number): number {
  const above = before[k + 1 + count] ?? 0;
  const left = before[k - 1 + count] ?? 0;
  return comesFromAbove(k, count, above, left) ? above : left + 1;
}

function comesFromAbove(k: number, count: number, above: number, left: number): boolean {
  return k === -count || (k !== count && left < above);
}

/** Walks back from the end and joins steps that touch. */
function changesOf(steps: readonly Int32Array[], length: number, otherLength: number): readonly LineChange[] {
  const changes: LineChange[] = [];
  let x = length;
  let y = otherLength;
  for (let count = steps.length - 1; count > 0; count -= 1) {
    const before = steps[count - 1] ?? new Int32Array();
    const k = x - y;
    const above = before[k + 1 + count] ?? 0;
    const left = before[k - 1 + count] ?? 0;
    const isDown = comesFromAbove(k, count, above, left);
    const fromX = isDown ? above : left;
    const fromY = fromX - (isDown ? k + 1 : k - 1);
    const step = {
      from: fromX,
      to: isDown ? fromX : fromX + 1,
      otherFrom: fromY,
      otherTo: isDown ? fromY + 1 : fromY,
    };
    const next = changes.at(-1);
    if (next !== undefined && next.from === step.to && next.otherFrom === step.otherTo) {
      changes[changes.length - 1] = { ...next, from: step.from, otherFrom: step.otherFrom };
    } else {
      changes.push(step);
    }
    x = fromX;
    y = fromY;
  }
  return changes.toReversed();
}

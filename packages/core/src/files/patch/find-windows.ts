/**
 * Where a list of lines stands as a whole in another one, from line `from` to before line `to`: by Knuth, Morris and
 * Pratt, so that a file of equal lines takes no longer than others. Places may overlap; at most `limit` are told.
 */
export function findWindows(
  lines: readonly string[],
  wanted: readonly string[],
  within: { readonly from: number; readonly to: number },
  limit: number,
): readonly number[] {
  const found: number[] = [];
  if (wanted.length === 0) return found;
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let at = within.from; at < within.to && found.length < limit; at += 1) {
    const line = lines[at];
    while (matched > 0 && line !== wanted[matched]) matched = borders[matched - 1] ?? 0;
    if (line === wanted[matched]) matched += 1;
    if (matched < wanted.length) continue;
    found.push(at + 1 - wanted.length);
    matched = borders[matched - 1] ?? 0;
  }
  return found;
}

/** For each beginning of the list, the length of its longest proper beginning that is also its end. */
function bordersOf(wanted: readonly string[]): Int32Array {
  const borders = new Int32Array(wanted.length);
  let length = 0;
  for (let at = 1; at < wanted.length; at += 1) {
    while (length > 0 && wanted[at] !== wanted[length]) length = borders[length - 1] ?? 0;
    if (wanted[at] === wanted[length]) length += 1;
    borders[at] = length;
  }
  return borders;
}

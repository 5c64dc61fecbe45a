// @ts-check

/**
 * The value below which the given share of the samples lies: nearest rank, so always one that was measured.
 *
 * @param {readonly number[]} samples
 * @param {number} share 0 to 1
 * @returns {number} NaN without samples
 */
export function quantile(samples, share) {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** @param {readonly number[]} samples */
export function p50(samples) {
  return quantile(samples, 0.5);
}

/** @param {readonly number[]} samples */
export function p95(samples) {
  return quantile(samples, 0.95);
}

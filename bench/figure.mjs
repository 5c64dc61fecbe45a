// @ts-check

/**
 * @typedef {{ readonly atMost: number } | { readonly atLeast: number } | { readonly equals: number }} Target
 */

/**
 * One measured number, and what it has to be.
 *
 * @typedef {object} Figure
 * @property {string} id stable, for machines: `commands.without_program.p50_ratio`
 * @property {string} label
 * @property {number} value
 * @property {string} unit `ms`, `ratio`, `bytes`, `count`, …
 * @property {number} n how many measurements it was made from
 * @property {Target | null} target null = nothing was promised
 */

/** @typedef {"met" | "missed" | "none"} Verdict */

/**
 * @param {Figure} figure
 * @returns {Verdict}
 */
export function verdictOf({ value, target }) {
  if (target === null) return "none";
  // A number that could not be measured is no number that was met.
  if ("atMost" in target) return value <= target.atMost ? "met" : "missed";
  if ("atLeast" in target) return value >= target.atLeast ? "met" : "missed";
  return value === target.equals ? "met" : "missed";
}

/**
 * @param {readonly { readonly figures: readonly Figure[] }[]} groups
 * @returns {{ met: number, missed: number, without: number }}
 */
export function countVerdicts(groups) {
  const verdicts = groups.flatMap(({ figures }) => figures.map(verdictOf));
  /** @param {Verdict} wanted */
  const count = (wanted) => verdicts.filter((verdict) => verdict === wanted).length;
  return { met: count("met"), missed: count("missed"), without: count("none") };
}

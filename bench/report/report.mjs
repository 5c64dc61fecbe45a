// @ts-check

/**
 * One run of the benchmark.
 *
 * @typedef {object} Report
 * @property {string} backend
 * @property {boolean} isQuick
 * @property {Date} startedAt
 * @property {import("../machine-facts.mjs").MachineFacts & { loadAverageAtEnd: number }} machine
 * @property {readonly import("../group-result.mjs").FinishedGroup[]} groups
 */

export {};

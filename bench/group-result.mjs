// @ts-check

/**
 * A column of a table of measurements. `unit` is shown behind the label; `digits` are those after the point.
 *
 * @typedef {object} Column
 * @property {string} key snake_case: the member's name in JSON
 * @property {string} label
 * @property {string} [unit]
 * @property {number} [digits]
 */

/**
 * @typedef {object} MeasurementTable
 * @property {string} name snake_case
 * @property {string} title
 * @property {readonly Column[]} columns
 * @property {readonly Readonly<Record<string, string | number | null>>[]} rows
 */

/**
 * What a group brings back.
 *
 * @typedef {object} GroupResult
 * @property {readonly import("./figure.mjs").Figure[]} figures
 * @property {readonly MeasurementTable[]} tables
 * @property {readonly string[]} notes what one has to know to read the numbers
 */

/**
 * A module of groups/ exports one as `measure`.
 *
 * @typedef {(settings: GroupSettings) => Promise<GroupResult>} Measure
 */

/**
 * @typedef {object} GroupSettings
 * @property {boolean} isQuick a few repetitions only
 * @property {string} folder private and empty; removed afterwards
 */

/**
 * @typedef {GroupResult & {
 *   name: string,
 *   error: string | null,
 *   durationMs: number,
 *   loadAverage: number,
 * }} FinishedGroup
 */

export {};

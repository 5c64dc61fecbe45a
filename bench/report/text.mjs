// @ts-check
import { countVerdicts, verdictOf } from "../figure.mjs";
import { formatNumber, formatValue } from "./number.mjs";
import { formatTable } from "./table.mjs";

/**
 * The report for people.
 *
 * @param {import("./report.mjs").Report} report
 * @returns {string}
 */
export function reportText({ backend, isQuick, machine, groups }) {
  const { met, missed, without } = countVerdicts(groups);
  const failed = groups.filter((group) => group.error !== null).length;
  const memory = formatValue(machine.memoryBytes, "bytes");
  return [
    `Talaria on ${backend}, ${machine.revision}, against what one would use instead`,
    `${machine.cpu}, ${machine.cores} cores, ${memory}, ${machine.platform}, kernel ${machine.kernel}, ` +
      `Node ${machine.node}, bash ${machine.bash}`,
    `load average ${formatNumber(machine.loadAverageAtStart, 2)} at the start, ` +
      `${formatNumber(machine.loadAverageAtEnd, 2)} at the end`,
    ...(isQuick ? ["--quick: a few repetitions only, these figures prove nothing"] : []),
    "",
    ...groups.flatMap(groupLines),
    `${met} targets met, ${missed} missed, ${without} figures without a target` +
      (failed === 0 ? "" : `, ${failed} groups failed`),
    "",
  ].join("\n");
}

const figureColumns = [
  { label: "figure" },
  { label: "measured", isRight: true },
  { label: "target", isRight: true },
  { label: "" },
  { label: "n", isRight: true },
];

/** @param {import("../figure.mjs").Figure} figure */
function figureCells(figure) {
  return [
    figure.label,
    formatValue(figure.value, figure.unit),
    figure.target === null ? "" : targetText(figure.target, figure.unit),
    { met: "met", missed: "MISSED", none: "" }[verdictOf(figure)],
    String(figure.n),
  ];
}

/** @param {import("../group-result.mjs").MeasurementTable} table */
function tableLines({ columns, rows }) {
  return formatTable(
    columns.map(({ key, label, unit }) => ({
      label: unit === undefined ? label : `${label} ${unit}`,
      isRight: rows.some((row) => typeof row[key] === "number"),
    })),
    rows.map((row) => columns.map(({ key, digits }) => cellOf(row[key] ?? null, digits ?? 2))),
  );
}

/** @param {import("../group-result.mjs").FinishedGroup} group */
function groupLines(group) {
  const took = formatNumber(group.durationMs / 1000, 1);
  const lines = [`${group.name.toUpperCase()}  (${took} s, load ${formatNumber(group.loadAverage, 2)})`, ""];
  if (group.error !== null) return [...lines, `FAILED: ${group.error}`, ""];
  for (const table of group.tables) lines.push(table.title, ...tableLines(table), "");
  lines.push(...formatTable(figureColumns, group.figures.map(figureCells)), "");
  for (const note of group.notes) lines.push(note);
  return group.notes.length > 0 ? [...lines, ""] : lines;
}

/**
 * @param {string | number | null} value
 * @param {number} digits
 */
function cellOf(value, digits) {
  if (value === null) return "";
  return typeof value === "number" ? formatNumber(value, digits) : value;
}

/**
 * @param {import("../figure.mjs").Target} target
 * @param {string} unit
 */
function targetText(target, unit) {
  if ("atMost" in target) return `≤ ${formatValue(target.atMost, unit)}`;
  if ("atLeast" in target) return `≥ ${formatValue(target.atLeast, unit)}`;
  return `= ${formatValue(target.equals, unit)}`;
}

// @ts-check
import { countVerdicts, verdictOf } from "../figure.mjs";

/**
 * The report for machines. Everything measured is in it, the samples as quantiles.
 *
 * @param {import("./report.mjs").Report} report
 * @returns {string}
 */
export function reportDocument({ backend, isQuick, startedAt, machine, groups }) {
  const document = {
    schema: 1,
    backend,
    quick: isQuick,
    started_at: startedAt.toISOString(),
    machine: {
      cpu: machine.cpu,
      cores: machine.cores,
      memory_bytes: machine.memoryBytes,
      platform: machine.platform,
      kernel: machine.kernel,
      node: machine.node,
      bash: machine.bash,
      revision: machine.revision,
      load_average_at_start: machine.loadAverageAtStart,
      load_average_at_end: machine.loadAverageAtEnd,
    },
    summary: summaryOf(groups),
    groups: groups.map((group) => ({
      name: group.name,
      error: group.error,
      duration_ms: Math.round(group.durationMs),
      load_average: group.loadAverage,
      figures: group.figures.map((figure) => ({
        id: figure.id,
        label: figure.label,
        value: figure.value,
        unit: figure.unit,
        n: figure.n,
        target: figure.target === null ? null : targetMember(figure.target),
        verdict: verdictOf(figure),
      })),
      tables: Object.fromEntries(group.tables.map(({ name, rows }) => [name, rows])),
      notes: group.notes,
    })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** @param {readonly import("../group-result.mjs").FinishedGroup[]} groups */
function summaryOf(groups) {
  const { met, missed, without } = countVerdicts(groups);
  return {
    targets_met: met,
    targets_missed: missed,
    figures_without_target: without,
    groups_failed: groups.filter((group) => group.error !== null).length,
  };
}

/** @param {import("../figure.mjs").Target} target */
function targetMember(target) {
  if ("atMost" in target) return { at_most: target.atMost };
  if ("atLeast" in target) return { at_least: target.atLeast };
  return { equals: target.equals };
}

// @ts-check
import { p50, p95 } from "../statistics.mjs";

/** Columns of a table of latencies, each side against one other. */
export const latencyColumns = [
  { key: "script", label: "script" },
  { key: "side", label: "side" },
  { key: "p50_ms", label: "p50", unit: "ms" },
  { key: "p95_ms", label: "p95", unit: "ms" },
  { key: "p50_ratio", label: "p50 ×" },
  { key: "p95_ratio", label: "p95 ×" },
  { key: "n", label: "n", digits: 0 },
];

/**
 * A row of such a table.
 *
 * @param {string} script
 * @param {string} side
 * @param {readonly number[]} samples
 * @param {readonly number[] | null} against the samples the ratios are made with; null for these very samples
 */
export function latencyRow(script, side, samples, against) {
  return {
    script,
    side,
    p50_ms: p50(samples),
    p95_ms: p95(samples),
    p50_ratio: against === null ? null : p50(samples) / p50(against),
    p95_ratio: against === null ? null : p95(samples) / p95(against),
    n: samples.length,
  };
}

// @ts-check
import { readdirSync, readFileSync } from "node:fs";

/**
 * A process as /proc shows it.
 *
 * @typedef {object} ProcessRow
 * @property {number} pid
 * @property {number} parent
 * @property {string} state `R`, `S`, `Z` …
 */

/**
 * Everything this process has started and that still has it above.
 *
 * @returns {ProcessRow[]}
 */
export function descendants() {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readRow(Number(name)) ?? []);
  /** @type {ProcessRow[]} */
  const found = [];
  const above = new Set([process.pid]);
  // A child may have a smaller pid than its parent, so once is not enough.
  for (let before = -1; before !== found.length;) {
    before = found.length;
    for (const row of all) {
      if (!above.has(row.parent) || above.has(row.pid)) continue;
      above.add(row.pid);
      found.push(row);
    }
  }
  return found;
}

/** @param {number} pid */
function readRow(pid) {
  const text = readOrUndefined(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The name in brackets may hold anything, brackets included.
  const [state = "?", parent = "0"] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return { pid, parent: Number(parent), state };
}

/**
 * Open descriptors of a process; NaN once it is gone.
 *
 * @param {number} pid
 */
export function descriptorCount(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return Number.NaN;
  }
}

/**
 * Resident memory; 0 once it is gone.
 *
 * @param {number} pid
 * @returns {number} bytes
 */
export function residentBytes(pid) {
  const match = /^VmRSS:\s+(\d+) kB$/m.exec(readOrUndefined(`/proc/${pid}/status`) ?? "");
  return Number(match?.[1] ?? 0) * 1024;
}

/** @param {string} file */
function readOrUndefined(file) {
  try {
    return readFileSync(file, "latin1");
  } catch {
    // It has ended since its name was read.
    return undefined;
  }
}

// @ts-check
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { root } from "./bootstrap/bootstrap.mjs";
import { closingLine, countTests } from "./test-counts.mjs";

/** The engines whose tests run here. */
const engines = ["local"];

/**
 * Runs the whole suite and ends stdout with `N passed, N failed`.
 *
 * @param {readonly string[]} args handed to vitest
 * @returns {Promise<number>} the exit status
 */
export async function runTests(args) {
  const testbed = await node(["testbed/run.mjs", "up", ...engines]);
  if (testbed !== 0)
    process.stderr.write("talaria: tests that need what is missing are skipped, and say so.\n");

  const folder = mkdtempSync(path.join(tmpdir(), "talaria-test-"));
  const report = path.join(folder, "report.json");
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    // vitest colours its report for a CI variable alone; a log is no terminal.
    const colour = process.stdout.isTTY ? [] : ["--no-color"];
    const status = await node(["node_modules/vitest/vitest.mjs", "run", ...colour, ...reporters, ...args]);
    const counts = countTests(readReport(report), status);
    if (counts.skipped > 0) process.stdout.write(`${counts.skipped} skipped\n`);
    process.stdout.write(`${closingLine(counts)}\n`);
    return counts.failed === 0 && counts.passed > 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {readonly string[]} args
 * @returns {Promise<number>}
 */
function node(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: "inherit" });
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}

/**
 * @param {string} file
 * @returns {unknown}
 */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

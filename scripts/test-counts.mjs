// @ts-check

/**
 * @typedef {object} TestCounts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 */

/**
 * What vitest's JSON report says, with everything counted that makes a run worthless: a file that failed to load, an
 * error outside of any test, no report at all, no test at all.
 *
 * @param {any} report
 * @param {number} exitStatus vitest's
 * @returns {TestCounts}
 */
export function countTests(report, exitStatus) {
  const files = report?.testResults ?? [];
  /** @param {string} status */
  const isFailed = (status) => status === "failed";
  const filesWithoutFailedTest = files.filter(
    (/** @type {any} */ file) =>
      isFailed(file.status) &&
      !file.assertionResults.some((/** @type {any} */ test) => isFailed(test.status)),
  ).length;
  const passed = report?.numPassedTests ?? 0;
  const failed = (report?.numFailedTests ?? 0) + filesWithoutFailedTest;
  const skipped = (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0);
  const isUnexplained = failed === 0 && (exitStatus !== 0 || passed === 0);
  return { passed, failed: isUnexplained ? 1 : failed, skipped };
}

/**
 * @param {{ passed: number, failed: number }} counts
 * @returns {string}
 */
export function closingLine({ passed, failed }) {
  return `${passed} passed, ${failed} failed`;
}

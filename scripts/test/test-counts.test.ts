import { expect, test } from "vitest";
import { closingLine, countTests } from "../test-counts.mjs";

const passedFile = { status: "passed", assertionResults: [{ status: "passed" }] };

test("a green run is counted as it is, skipped tests apart", () => {
  const report = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 2, testResults: [passedFile] };
  expect(countTests(report, 0)).toEqual({ passed: 3, failed: 0, skipped: 2 });
});

test("a file that could not be loaded is a failure although none of its tests failed", () => {
  const broken = { status: "failed", assertionResults: [] };
  const report = { numPassedTests: 3, numFailedTests: 0, testResults: [passedFile, broken] };
  expect(countTests(report, 1)).toMatchObject({ passed: 3, failed: 1 });
});

test("a failed test is counted once, not once more for its file", () => {
  const file = { status: "failed", assertionResults: [{ status: "failed" }, { status: "passed" }] };
  expect(countTests({ numPassedTests: 1, numFailedTests: 1, testResults: [file] }, 1)).toMatchObject({
    failed: 1,
  });
});

test("an error outside of any test is a failure", () => {
  expect(countTests({ numPassedTests: 3, testResults: [passedFile] }, 1)).toMatchObject({
    passed: 3,
    failed: 1,
  });
});

test("no test at all is a failure, and so is a run that left no report", () => {
  expect(countTests({ numPassedTests: 0, testResults: [] }, 0)).toMatchObject({ failed: 1 });
  expect(countTests(undefined, 0)).toMatchObject({ passed: 0, failed: 1 });
});

test("the closing line is what CI reads", () => {
  expect(closingLine({ passed: 12, failed: 1 })).toBe("12 passed, 1 failed");
});

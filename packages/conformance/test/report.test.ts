import { describe, expect, it } from "vitest";
import { conformanceCases, formatReport, type ConformanceCase } from "../src/index.js";
import { recordOf, reportOf, type CaseStatus } from "../src/report.js";

const firstCases = conformanceCases.slice(0, 4);
const [first, second, third, fourth] = firstCases as [
  ConformanceCase,
  ConformanceCase,
  ConformanceCase,
  ConformanceCase,
];

function recordsOf(statuses: readonly CaseStatus[]): ReturnType<typeof recordOf>[] {
  return statuses.map((status, index) => recordOf(firstCases[index] ?? first, status, 12.4, `why ${index}`));
}

describe("the report", () => {
  it("counts every status apart", () => {
    const { summary } = reportOf("x", recordsOf(["passed", "failed", "unsupported", "skipped"]), null);
    expect(summary).toEqual({ passed: 1, failed: 1, unsupported: 1, skipped: 1, total: 4 });
  });

  it("is not ok when a case failed", () => {
    expect(reportOf("x", recordsOf(["passed", "failed"]), null).ok).toBe(false);
    expect(reportOf("x", recordsOf(["passed", "passed"]), null).ok).toBe(true);
  });

  it("is not ok when more cases are unsupported than are allowed, and says so", () => {
    const report = reportOf("docker", recordsOf(["passed", "unsupported", "unsupported", "unsupported"]), 2);
    expect(report.ok).toBe(false);
    expect(report.problems).toEqual(["3 cases are unsupported on docker; at most 2 may be."]);
    expect(reportOf("docker", recordsOf(["passed", "unsupported", "unsupported"]), 2).ok).toBe(true);
  });

  it("is not ok when nothing was run", () => {
    expect(reportOf("x", [], null).ok).toBe(false);
    expect(reportOf("x", recordsOf(["unsupported", "skipped"]), null).ok).toBe(false);
  });

  it("is plain data", () => {
    const report = reportOf("x", recordsOf(["passed", "failed"]), 1);
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
    expect(report.schema).toBe(1);
  });

  it("is printed with each failure's reason and rule, without a colour unless asked for", () => {
    const records = [
      recordOf(first, "passed", 1),
      recordOf(second, "failed", 2, "expected this\ngot that"),
      recordOf(third, "unsupported", 0, "no stdin"),
      recordOf(fourth, "skipped", 0, "long"),
    ];
    const plain = formatReport(reportOf("x", records, 0));
    expect(plain).not.toContain("\u001B");
    expect(plain).toContain(`${second.id}  ${second.title} (${second.rule})`);
    expect(plain).toContain("expected this\n              got that");
    expect(plain).toContain("1 passed, 1 failed, 1 unsupported (0 allowed), 1 skipped, 4 in all");
    expect(plain).not.toContain(first.title);
    expect(formatReport(reportOf("x", records, 0), { verbose: true })).toContain(first.title);
    expect(formatReport(reportOf("x", records, 0), { color: true })).toContain("\u001B[31m");
  });
});

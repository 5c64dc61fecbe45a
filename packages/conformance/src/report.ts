import type { ConformanceCase, ConformanceGroup } from "./case.js";

/** `unsupported`: a capability is missing or a stated difference applies. `skipped`: a long case that was not asked for. */
export type CaseStatus = "passed" | "failed" | "unsupported" | "skipped";

/** How one case went. */
export interface CaseRecord {
  readonly id: string;
  readonly group: ConformanceGroup;
  readonly title: string;
  readonly rule: string;
  readonly status: CaseStatus;
  /** Wall time of the case, its cleaning up included; 0 when it was not run. */
  readonly ms: number;
  /** Why it failed, is unsupported, or was skipped. Absent when it passed. */
  readonly message?: string | undefined;
}

export interface ConformanceSummary {
  readonly passed: number;
  readonly failed: number;
  readonly unsupported: number;
  readonly skipped: number;
  readonly total: number;
}

/** The whole of a run, as plain data: print it with `formatReport` or as JSON. */
export interface ConformanceReport {
  readonly schema: 1;
  /** Value of `terminal.backend`. */
  readonly backend: string;
  /** Nothing failed, something passed, and no more cases were unsupported than are allowed. */
  readonly ok: boolean;
  readonly summary: ConformanceSummary;
  /** How many cases may be unsupported; null when nobody said. */
  readonly allowed: number | null;
  /** What makes the run as a whole a failure besides failed cases, in sentences. */
  readonly problems: readonly string[];
  readonly cases: readonly CaseRecord[];
}

/** A record of a case, with what the case says of itself. */
export function recordOf(
  conformanceCase: ConformanceCase,
  status: CaseStatus,
  ms: number,
  message?: string,
): CaseRecord {
  const { id, group, title, rule } = conformanceCase;
  return {
    id,
    group,
    title,
    rule,
    status,
    ms: Math.round(ms),
    ...(message === undefined ? {} : { message }),
  };
}

/** Counts the records and judges the run. */
export function reportOf(
  backend: string,
  cases: readonly CaseRecord[],
  allowed: number | null,
): ConformanceReport {
  const count = (status: CaseStatus): number => cases.filter((record) => record.status === status).length;
  const summary: ConformanceSummary = {
    passed: count("passed"),
    failed: count("failed"),
    unsupported: count("unsupported"),
    skipped: count("skipped"),
    total: cases.length,
  };
  const problems: string[] = [];
  if (allowed !== null && summary.unsupported > allowed) {
    problems.push(`${summary.unsupported} cases are unsupported on ${backend}; at most ${allowed} may be.`);
  }
  if (summary.passed + summary.failed === 0) {
    problems.push(`No case was run on ${backend}: a suite that holds nothing has not passed.`);
  }
  return {
    schema: 1,
    backend,
    ok: summary.failed === 0 && problems.length === 0,
    summary,
    allowed,
    problems,
    cases,
  };
}

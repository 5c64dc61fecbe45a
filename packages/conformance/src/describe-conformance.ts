import { allowedUnsupported } from "./allowed-unsupported.js";
import { CaseRunner } from "./case-runner.js";
import { conformanceGroups } from "./case.js";
import { conformanceCases } from "./cases/index.js";
import { differencesByCase } from "./difference.js";
import { reportOf, type CaseRecord } from "./report.js";
import type { ConformanceOptions } from "./run-conformance.js";
import { selectCases } from "./select-cases.js";
import { resolveTarget, type ConformanceBackend } from "./target.js";

/** What a test framework passes to a running test: vitest and node:test both have it. */
export interface RunningTest {
  skip(note?: string): void;
}

/** The functions of a test framework that the suite is hung into. */
export interface TestFunctions {
  describe(name: string, body: () => void): void;
  it(name: string, body: (test: RunningTest) => Promise<void>, timeoutMs?: number): void;
  afterAll(body: () => Promise<void>, timeoutMs?: number): void;
  /** Where the framework counts assertions, those of the suite are told to it through this. */
  expect?: ((actual: unknown, message?: string) => { toBe(expected: unknown): void }) | undefined;
}

/** Time beyond a case's own deadline for making and freeing its environment. */
const aroundCaseMs = 240_000;

/**
 * Declares one test per case, in the groups of the suite, and one that holds the number of unsupported cases. A backend's
 * test file is this call with `{ describe, it, afterAll, expect }` of vitest.
 */
export function describeConformance(
  { describe, it, afterAll, expect }: TestFunctions,
  backend: ConformanceBackend,
  options: ConformanceOptions = {},
): void {
  const cases = selectCases(conformanceCases, options);
  const differences = differencesByCase(options.differences ?? [], conformanceCases);
  const slowness = options.slowness ?? 1;
  const records: CaseRecord[] = [];
  const target = resolveLazily(backend, options.sandboxIsHost);
  let runner: CaseRunner | undefined;

  describe("conformance", () => {
    for (const group of conformanceGroups) {
      const members = cases.filter((member) => member.group === group);
      if (members.length === 0) continue;
      describe(group, () => {
        for (const member of members) {
          const body = async (test: RunningTest): Promise<void> => {
            runner ??= new CaseRunner(await target(), { long: options.long ?? false, slowness, differences });
            const record = await runner.run(member);
            records.push(record);
            if (record.status === "skipped" || record.status === "unsupported") {
              test.skip(`${record.status}: ${record.message ?? ""}`);
              return;
            }
            const failure = `${member.id} (${member.rule}): ${record.message ?? ""}`;
            expect?.(record.status, failure).toBe("passed");
            if (record.status === "failed") throw new Error(failure);
          };
          it(`${member.title} [${member.id}]`, body, member.deadlineMs * slowness + aroundCaseMs);
        }
      });
    }

    it("has no more unsupported cases than are allowed", async () => {
      // A run narrowed to one test by the framework's own filter has no count to judge.
      const name = (await runner?.backend()) ?? "";
      const report = reportOf(name, records, options.allowedUnsupported ?? allowedUnsupported[name] ?? null);
      const problems = records.length < cases.length ? [] : report.problems;
      expect?.(problems.length, problems.join(" ")).toBe(0);
      if (problems.length > 0) throw new Error(problems.join(" "));
    });

    afterAll(async () => {
      await runner?.close();
      if (runner !== undefined) await (await target()).close();
    }, aroundCaseMs);
  });
}

function resolveLazily(
  backend: ConformanceBackend,
  sandboxIsHost: boolean | undefined,
): () => ReturnType<typeof resolveTarget> {
  let target: ReturnType<typeof resolveTarget> | undefined;
  return () => (target ??= resolveTarget(backend, sandboxIsHost));
}

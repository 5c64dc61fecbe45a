import { InvalidArgumentError } from "@talaria/core";
import { allowedUnsupported } from "./allowed-unsupported.js";
import type { ConformanceCase } from "./case.js";
import { CaseRunner } from "./case-runner.js";
import { conformanceCases } from "./cases/index.js";
import { differencesByCase, type Difference } from "./difference.js";
import { reportOf, type CaseRecord, type ConformanceReport } from "./report.js";
import { selectCases, type CaseSelection } from "./select-cases.js";
import { resolveTarget, type ConformanceBackend } from "./target.js";

/** Options of a run, whoever drives it. */
export interface ConformanceOptions extends CaseSelection {
  /** Run the cases that take minutes, too. Default false. */
  readonly long?: boolean | undefined;
  /** Legitimate differences of the backend, in words. Default none. */
  readonly differences?: readonly Difference[] | undefined;
  /** Cases that may be unsupported. Default: the checked-in number of a first-party backend, else no limit. */
  readonly allowedUnsupported?: number | undefined;
  /** The sandbox is this very host. Default: what the provider's `isRemote` says. */
  readonly sandboxIsHost?: boolean | undefined;
  /** Deadlines are multiplied by it: for emulated machines and far links. At least 1. Default 1. */
  readonly slowness?: number | undefined;
}

/** Options of `runConformance`. */
export interface RunConformanceOptions extends ConformanceOptions {
  readonly backend: ConformanceBackend;
  /** Cases at a time, each lane with an environment of its own. Default 1. */
  readonly concurrency?: number | undefined;
  /** Ends the run after the cases that are running: sandboxes are freed, then its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each case, for progress. */
  readonly onCase?: ((record: CaseRecord) => void) | undefined;
}

function atLeastOne(argument: string, value: number | undefined): number {
  if (value === undefined) return 1;
  if (Number.isFinite(value) && value >= 1) return value;
  throw new InvalidArgumentError(argument, `${argument} is ${value}; it must be a number of at least 1.`, {
    operation: "conformance",
  });
}

/**
 * Runs the suite against a backend and reports. A failed case is in the report, not thrown; thrown is what keeps the suite
 * from running at all: an unknown backend, a selection that names nothing, an environment that cannot be made.
 */
export async function runConformance(options: RunConformanceOptions): Promise<ConformanceReport> {
  const cases = selectCases(conformanceCases, options);
  const differences = differencesByCase(options.differences ?? [], conformanceCases);
  const lanes = Math.floor(atLeastOne("concurrency", options.concurrency));
  const runnerOptions = {
    long: options.long ?? false,
    slowness: atLeastOne("slowness", options.slowness),
    differences,
  };
  const target = await resolveTarget(options.backend, options.sandboxIsHost);
  const runners = Array.from({ length: lanes }, () => new CaseRunner(target, runnerOptions));
  const records = new Map<string, CaseRecord>();
  try {
    const [first] = runners;
    // The first environment is made here, so that a backend that cannot make one is an error and not 150 failed cases.
    const backend = (await first?.backend()) ?? "";
    const runAll = async (lane: readonly CaseRunner[], queue: ConformanceCase[]): Promise<void> => {
      await Promise.all(
        lane.map(async (runner) => {
          for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
            options.signal?.throwIfAborted();
            const record = await runner.run(next);
            records.set(record.id, record);
            options.onCase?.(record);
          }
        }),
      );
    };
    const isAlone = ({ alone }: ConformanceCase): boolean => lanes > 1 && alone === true;
    await runAll(
      runners,
      cases.filter((each) => !isAlone(each)),
    );
    await runAll(runners.slice(0, 1), cases.filter(isAlone));
    const ordered = cases.flatMap(({ id }) => records.get(id) ?? []);
    return reportOf(backend, ordered, options.allowedUnsupported ?? allowedUnsupported[backend] ?? null);
  } finally {
    await Promise.allSettled(runners.map((runner) => runner.close()));
    await target.close();
  }
}

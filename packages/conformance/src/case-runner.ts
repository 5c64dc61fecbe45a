import type { ConformanceCase } from "./case.js";
import { CaseScope, CaseUnsupportedError } from "./case-scope.js";
import { withDeadline } from "./deadline.js";
import type { Difference } from "./difference.js";
import { recordOf, type CaseRecord } from "./report.js";
import { SharedEnvironment } from "./shared-environment.js";
import type { Target } from "./target.js";

export interface CaseRunnerOptions {
  readonly long: boolean;
  readonly slowness: number;
  readonly differences: ReadonlyMap<string, Difference>;
}

const environmentDeadlineMs = 180_000;
const closeDeadlineMs = 30_000;

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === "CheckFailedError" || error.name === "DeadlineError"
    ? error.message
    : `${error.name}: ${error.message}`;
}

/** Runs cases one after the other against one backend. After a failure it takes a fresh environment: the old one may be hurt. */
export class CaseRunner {
  readonly #target: Target;
  readonly #options: CaseRunnerOptions;
  #shared: SharedEnvironment | undefined;

  constructor(target: Target, options: CaseRunnerOptions) {
    this.#target = target;
    this.#options = options;
  }

  /** The backend's name, as its environment says it. Makes the environment; throws what that throws. */
  async backend(): Promise<string> {
    return (await this.#environment()).environment.backend;
  }

  async run(conformanceCase: ConformanceCase): Promise<CaseRecord> {
    if (conformanceCase.long === true && !this.#options.long) {
      return recordOf(conformanceCase, "skipped", 0, "Takes minutes: run with `long`.");
    }
    const difference = this.#options.differences.get(conformanceCase.id);
    if (difference !== undefined) {
      return recordOf(conformanceCase, "unsupported", 0, `${difference.because} (${difference.id})`);
    }
    const startedAt = performance.now();
    const elapsedMs = (): number => performance.now() - startedAt;
    let shared: SharedEnvironment;
    try {
      shared = await this.#environment();
    } catch (error) {
      return recordOf(
        conformanceCase,
        "failed",
        elapsedMs(),
        `no environment could be made: ${textOf(error)}`,
      );
    }
    const missing = conformanceCase.needs.filter((name) => !shared.capabilities.has(name));
    if (missing.length > 0) {
      return recordOf(
        conformanceCase,
        "unsupported",
        0,
        `The backend does not declare: ${missing.join(", ")}.`,
      );
    }

    const scope = new CaseScope(shared, this.#options.slowness);
    const failures: string[] = [];
    let unsupported: string | undefined;
    try {
      await this.#within(conformanceCase.deadlineMs, scope, async () => {
        await scope.open();
        await conformanceCase.run(scope);
      });
      if (scope.check.count === 0) failures.push("the case made no assertion, so it has shown nothing");
    } catch (error) {
      if (error instanceof CaseUnsupportedError) unsupported = error.message;
      else failures.push(textOf(error));
    }
    try {
      const left = await this.#within(closeDeadlineMs, scope, () => scope.close());
      failures.push(...left.map((failure) => `after the case, ${failure}`));
    } catch (error) {
      failures.push(`after the case: ${textOf(error)}`);
    }
    if (failures.length > 0) {
      await this.#discard();
      return recordOf(conformanceCase, "failed", elapsedMs(), failures.join("; "));
    }
    if (unsupported !== undefined) return recordOf(conformanceCase, "unsupported", elapsedMs(), unsupported);
    return recordOf(conformanceCase, "passed", elapsedMs());
  }

  /** Frees the shared environment; throws what that throws. */
  async close(): Promise<void> {
    const shared = this.#shared;
    this.#shared = undefined;
    if (shared === undefined) return;
    const limitMs = closeDeadlineMs * this.#options.slowness;
    await withDeadline(shared.close(), limitMs, () => "the environment to be freed");
  }

  #within<T>(limitMs: number, scope: CaseScope, work: () => Promise<T>): Promise<T> {
    return withDeadline(work(), limitMs * this.#options.slowness, () => scope.waits.describe());
  }

  async #environment(): Promise<SharedEnvironment> {
    const limitMs = environmentDeadlineMs * this.#options.slowness;
    this.#shared ??= await withDeadline(
      SharedEnvironment.create(this.#target),
      limitMs,
      () => "an environment of the backend",
    );
    return this.#shared;
  }

  /** The failure that led here is what is reported, not what freeing a hurt environment may add. */
  async #discard(): Promise<void> {
    try {
      await this.close();
    } catch {
      this.#shared = undefined;
    }
  }
}

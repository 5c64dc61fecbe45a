import { formatReport, runConformance, type CaseRecord, type ConformanceReport } from "@talaria/conformance";
import { failure, success } from "../exit-status.js";
import { Cancellation } from "../program/cancellation.js";
import { formatDocument } from "../output/json-document.js";
import type { Invocation } from "../program/invocation.js";

export interface ConformanceCommandOptions {
  readonly group?: readonly string[];
  readonly case?: readonly string[];
  readonly long?: true;
  readonly slowness?: number;
  readonly json?: true;
  readonly verbose?: true;
}

/** How often a run says that it goes on. */
const progressMs = 2_000;

export async function runConformanceCommand(
  invocation: Invocation,
  backend: string,
  options: ConformanceCommandOptions,
): Promise<number> {
  const { messages, stdout } = invocation;
  const cancellation = new Cancellation();
  cancellation.signal.addEventListener("abort", () => {
    messages.note("stopping when the case that runs has ended; once more stops at once");
  });
  cancellation.force.addEventListener("abort", () => process.exit(cancellation.status));
  let report: ConformanceReport;
  try {
    const progress = new Progress(invocation);
    report = await runConformance({
      backend,
      groups: options.group,
      ids: options.case,
      long: options.long,
      slowness: options.slowness,
      onCase: (record) => {
        progress.take(record);
        // Thrown between two cases, so that the run frees its sandboxes before it ends.
        cancellation.signal.throwIfAborted();
      },
    });
  } catch (error) {
    if (cancellation.status !== undefined) return cancellation.status;
    throw error;
  } finally {
    cancellation.dispose();
  }
  await stdout.write(
    options.json
      ? formatDocument(report)
      : formatReport(report, { color: invocation.colour, verbose: options.verbose }),
  );
  return report.ok ? success : failure;
}

/** Says how far a run is: a line for each case with `-v`, else one now and then. */
class Progress {
  readonly #messages: Invocation["messages"];
  #done = 0;
  #failed = 0;
  #saidAt = performance.now();

  constructor({ messages }: Invocation) {
    this.#messages = messages;
  }

  take({ id, status, ms }: CaseRecord): void {
    this.#done += 1;
    if (status === "failed") this.#failed += 1;
    this.#messages.detail(`${this.#done}. ${id}: ${status} (${ms} ms)`);
    if (performance.now() - this.#saidAt < progressMs) return;
    this.#saidAt = performance.now();
    this.#messages.note(`${this.#done} cases done, ${this.#failed} failed`);
  }
}

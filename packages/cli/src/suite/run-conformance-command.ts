import { formatReport, runConformance } from "@talaria/conformance";
import { failure, success } from "../exit-status.js";
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
  let done = 0;
  let failed = 0;
  let saidAt = performance.now();
  const report = await runConformance({
    backend,
    groups: options.group,
    ids: options.case,
    long: options.long,
    slowness: options.slowness,
    onCase: ({ id, status, ms }) => {
      done += 1;
      if (status === "failed") failed += 1;
      messages.detail(`${done}. ${id}: ${status} (${ms} ms)`);
      if (performance.now() - saidAt < progressMs) return;
      saidAt = performance.now();
      messages.note(`${done} cases done, ${failed} failed`);
    },
  });
  await stdout.write(
    options.json
      ? formatDocument(report)
      : formatReport(report, { color: invocation.colour, verbose: options.verbose }),
  );
  return report.ok ? success : failure;
}

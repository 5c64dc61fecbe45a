import { describeChange } from "./patched-file.js";
import { parsePatch } from "./parse-patch.js";
import { planPatch } from "./plan-patch.js";
import type { AppliedPatch, PatchedFile, PatchOptions } from "./patch-result.js";
import type { PatchStore } from "./patch-store.js";
import { runSteps } from "./run-steps.js";

/**
 * Applies a patch of several files: all of it is tried against the files as they are before the first one is written.
 * Should a write fail then, the files that were written before are put back.
 */
export async function applyPatch(
  store: PatchStore,
  text: string,
  options: Pick<PatchOptions, "dryRun">,
): Promise<AppliedPatch> {
  const steps = await planPatch(store, parsePatch(text));
  if (options.dryRun === true) {
    const files = steps.map(({ change, path }): PatchedFile =>
      describeChange(change, { path, version: null }),
    );
    return { files };
  }
  const outcomes = await runSteps(store, steps);
  return { files: steps.map(({ change }, at) => describeChange(change, outcomes[at] ?? missing(at))) };
}

function missing(at: number): never {
  throw new RangeError(`step ${at} has no outcome`);
}

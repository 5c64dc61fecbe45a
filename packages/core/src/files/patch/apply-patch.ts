import type { FileShell } from "../file-shell.js";
import { describeChange } from "./patched-file.js";
import { parsePatch } from "./parse-patch.js";
import { planPatch } from "./plan-patch.js";
import type { AppliedPatch, PatchedFile, PatchOptions } from "./patch-result.js";
import { PatchStore } from "./patch-store.js";
import { runSteps } from "./run-steps.js";

/**
 * Applies a patch of several files: all of it is tried against the files as they are before the first one is written.
 * Should a write fail then, the files that were written before are put back.
 */
export async function applyPatch(
  shell: FileShell,
  text: string,
  options: PatchOptions,
): Promise<AppliedPatch> {
  const store = new PatchStore(shell, options);
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

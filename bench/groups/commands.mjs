// @ts-check
import { backToBack } from "../commands/back-to-back.mjs";
import { busyHost } from "../commands/busy-host.mjs";
import { changingState } from "../commands/changing-state.mjs";
import { manyFunctions } from "../commands/many-functions.mjs";
import { sideBySide } from "../commands/side-by-side.mjs";

/**
 * A warm command against what one would use instead.
 *
 * @type {import("../group-result.mjs").Measure}
 */
export async function measure(settings) {
  const parts = [];
  const all = [sideBySide, backToBack, changingState, manyFunctions, busyHost];
  for (const part of all) parts.push(await part(settings));
  return {
    figures: parts.flatMap(({ figures }) => figures),
    tables: parts.flatMap(({ tables }) => tables),
    notes: parts.flatMap(({ notes }) => notes),
  };
}

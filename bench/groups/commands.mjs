// @ts-check
import { backToBack } from "../commands/back-to-back.mjs";
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
  for (const part of [sideBySide, backToBack, changingState, manyFunctions]) parts.push(await part(settings));
  return {
    figures: parts.flatMap(({ figures }) => figures),
    tables: parts.flatMap(({ tables }) => tables),
    notes: parts.flatMap(({ notes }) => notes),
  };
}

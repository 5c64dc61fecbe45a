import { FileError } from "../../errors/errors.js";
import type { PatchContext } from "./patch-context.js";
import type { TextView } from "./text-view.js";

/** As the redactor makes them (`placeholder` in secrets/stream-redactor). */
const placeholder = /\[redacted:[^\]\n]+\]/g;

/**
 * Refuses a text to find that was copied from masked output: the file has the secret there, not what stood for it. No
 * lenient way may take the one for the other, or the placeholder would come into the file in the secret's place.
 */
export function assertNotMasked(view: TextView, wanted: string, { path, part }: PatchContext): void {
  const shown = (wanted.match(placeholder) ?? []).find((text) => !view.text.includes(text));
  if (shown === undefined) return;
  throw new FileError(
    path,
    "no_match",
    `Nothing was changed: ${part} has "${shown}" in it, which stands for a secret where files are shown. "${path}" has the secret itself there.`,
    {
      operation: "patch",
      hint: "Give lines beside it, without the one that has the secret.",
    },
  );
}

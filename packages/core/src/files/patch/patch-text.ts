import { FileError } from "../../errors/errors.js";
import { placeEdit, type PlacedChange } from "./place-edit.js";
import type { PatchContext } from "./patch-context.js";
import { movePlaces, placesAfter } from "./patched-places.js";
import type { AppliedEdit, PatchedLines, TextEdit } from "./patch-result.js";
import { TextView } from "./text-view.js";

/** A text after edits. */
export interface PatchedText {
  readonly text: string;
  readonly edits: readonly AppliedEdit[];
}

/** Finds the place of a change in the text as it is after the changes before it. */
export type PlaceChange = (view: TextView) => PlacedChange;

/** Characters that a patched text may have. */
const maxLength = 32 * 1024 * 1024;

/**
 * Makes edits in a text, each in what the one before it made. Nothing is changed unless all of them can be made: throws
 * FileError `no_match`, `ambiguous`, `invalid` or `too_large`.
 */
export function patchText(
  original: string,
  edits: readonly TextEdit[],
  context: Omit<PatchContext, "part">,
): PatchedText {
  const placers = edits.map(
    (edit, at): PlaceChange =>
      (view) =>
        placeEdit(view, edit, {
          ...context,
          part: edits.length === 1 ? "the text to find" : `the text to find of edit ${at + 1}`,
        }),
  );
  return changeText(original, placers, context.path);
}

/** Makes changes one after the other. */
export function changeText(original: string, changes: readonly PlaceChange[], path: string): PatchedText {
  let text = original;
  const applied: (Omit<AppliedEdit, "places"> & { places: readonly PatchedLines[] })[] = [];
  for (const place of changes) {
    const view = new TextView(text);
    const { strategy, matches } = place(view);
    for (const earlier of applied) earlier.places = movePlaces(earlier.places, view, matches);
    applied.push({ strategy, count: matches.length, places: placesAfter(view, matches) });
    if (matches.length === 0) continue;
    const edits = matches.flatMap((match) => match.edits);
    assertRoom(text, edits, path);
    text = view.apply(edits);
  }
  return { text, edits: applied };
}

function assertRoom(text: string, edits: readonly { readonly text: string }[], path: string): void {
  let length = text.length;
  for (const edit of edits) length += edit.text.length;
  if (length <= maxLength) return;
  throw new FileError(
    path,
    "too_large",
    `Nothing was changed: "${path}" would have more than ${maxLength / 1024 / 1024} MiB after the patch.`,
    { operation: "patch", hint: "Make a file of that size with a command or with upload." },
  );
}

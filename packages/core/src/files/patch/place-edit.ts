import { assertNotMasked } from "./masked-text.js";
import { matchChange } from "./match-change.js";
import type { TextChange } from "./match-text.js";
import { ambiguousError, invalidPatchError, noMatchError } from "./patch-error.js";
import type { PatchContext } from "./patch-context.js";
import type { TextEdit } from "./patch-result.js";
import { maxMatches, type MatchStrategyName, type TextMatch } from "./text-match.js";
import type { TextView } from "./text-view.js";

/** Where a change belongs, and by which strategy that was found. Changes nothing yet. */
export interface PlacedChange {
  readonly strategy: MatchStrategyName | "already_applied";
  /** In order, none overlapping another. */
  readonly matches: readonly TextMatch[];
}

/** An addition shorter than this says nothing about having been made before. */
const minTellingLength = 8;

/** Places within a replacement that are tried: text that repeats itself would take for ever. */
const maxTries = 100;

/** Finds the one place of an edit, or all of them. Throws FileError: `no_match`, `ambiguous`, `invalid`. */
export function placeEdit(view: TextView, edit: TextEdit, context: PatchContext): PlacedChange {
  const change = { find: comparable(edit.find), replace: comparable(edit.replace) };
  assertSensible(change, context);
  assertNotMasked(view, change.find, context);
  const all = edit.all === true;
  const found = matchChange(view, change, all);
  if (found?.strategy === "exact") {
    if (found.matches.every((match) => isMadeAt(view, change, match))) return alreadyApplied;
  } else if (isThere(view, change, found?.matches)) {
    return alreadyApplied;
  }
  if (found === undefined) throw noMatchError(view, change.find.split("\n"), context);
  const matches = withoutOverlap(found.matches);
  if (!all && found.matches.length > 1) {
    const hint = "Give more of the lines around the one that is meant, or set all to change every one.";
    throw ambiguousError(view, found.strategy, found.matches, context, hint);
  }
  if (matches.length >= maxMatches) {
    throw invalidPatchError(
      context.path,
      `${context.part} is in "${context.path}" more than ${maxMatches.toLocaleString("en")} times.`,
      "Change that many with a command: sed, or a program of your own.",
    );
  }
  return { strategy: found.strategy, matches };
}

const alreadyApplied: PlacedChange = { strategy: "already_applied", matches: [] };

/** Line ends do not count, and a byte order mark is no part of the text. */
function comparable(text: string): string {
  return (text.startsWith("\uFEFF") ? text.slice(1) : text).replaceAll("\r\n", "\n");
}

function assertSensible({ find, replace }: TextChange, context: PatchContext): void {
  if (find === "") {
    throw invalidPatchError(
      context.path,
      `${context.part} is empty.`,
      "Use write for a whole file, append for its end, or give the line beside the new ones in both find and replace.",
    );
  }
  if (find !== replace) return;
  throw invalidPatchError(
    context.path,
    `${context.part} and its replacement are the same.`,
    "Line ends are not changed by a patch: write has an option for them.",
  );
}

/** What the edit is to make stands around a place already: the addition was made before. */
function isMadeAt(view: TextView, { find, replace }: TextChange, { start }: TextMatch): boolean {
  if (replace.length - find.length < minTellingLength) return false;
  let at = replace.indexOf(find);
  for (let tries = 0; at >= 0 && tries < maxTries; tries += 1) {
    if (start >= at && view.text.startsWith(replace, start - at)) return true;
    at = replace.indexOf(find, at + 1);
  }
  return false;
}

/**
 * The replacement stands in the file, once, and says enough to be no accident; and nothing but that very place, if any,
 * is like what was to be found.
 */
function isThere(
  view: TextView,
  { replace }: TextChange,
  matches: readonly TextMatch[] | undefined,
): boolean {
  if (replace.replace(/\s/g, "").length < minTellingLength) return false;
  const at = view.text.indexOf(replace);
  if (at < 0 || view.text.includes(replace, at + 1)) return false;
  return matches === undefined || matches.every(({ start, end }) => start < at + replace.length && at < end);
}

function withoutOverlap(matches: readonly TextMatch[]): readonly TextMatch[] {
  let end = -1;
  return matches.filter((match) => {
    if (match.start < end) return false;
    end = match.end;
    return true;
  });
}

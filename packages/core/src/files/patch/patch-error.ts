import { FileError } from "../../errors/errors.js";
import { describeNearestPlace } from "./nearest-place.js";
import { showLine, type PatchContext } from "./patch-context.js";
import { maxMatches, type MatchStrategyName, type TextMatch } from "./text-match.js";
import type { TextView } from "./text-view.js";

const maxListed = 10;

/** The text is nowhere in the file. Says where something like it stands. */
export function noMatchError(view: TextView, wanted: readonly string[], context: PatchContext): FileError {
  const nearest = describeNearestPlace(view, wanted, context);
  const near = nearest === "" ? "Nothing in the file is much like it." : nearest;
  return new FileError(
    context.path,
    "no_match",
    `Nothing was changed: ${context.part} is not in "${context.path}". ${near}`,
    { operation: "patch", hint: "Read that part of the file again and give the lines as they are there." },
  );
}

/** The text is in several places. Lists them. */
export function ambiguousError(
  view: TextView,
  strategy: MatchStrategyName,
  matches: readonly TextMatch[],
  context: PatchContext,
  hint: string,
): FileError {
  const places = matches.slice(0, maxListed).map(({ start }) => {
    const line = view.lineAt(start);
    return `line ${line + 1}: ${showLine(context.redact(view.lines[line] ?? ""))}`;
  });
  const more = matches.length > maxListed ? `; and more` : "";
  const count = `${matches.length >= maxMatches ? "at least " : ""}${matches.length.toLocaleString("en")}`;
  const how = strategy === "exact" ? "" : ` (matched by ${strategy})`;
  return new FileError(
    context.path,
    "ambiguous",
    `Nothing was changed: ${context.part} is in "${context.path}" ${count} times${how}: ${places.join("; ")}${more}.`,
    { operation: "patch", hint },
  );
}

/** The patch itself makes no sense, whatever the file. */
export function invalidPatchError(path: string, why: string, hint: string): FileError {
  return new FileError(path, "invalid", `Nothing was changed: ${why}`, { operation: "patch", hint });
}

import type { FileHunk } from "./file-hunk.js";
import { placeHunk, type HunkProgress } from "./place-hunk.js";
import { changeText, type PatchedText, type PlaceChange } from "./patch-text.js";
import type { PatchContext } from "./patch-context.js";
import type { TextMatch } from "./text-match.js";
import { TextView } from "./text-view.js";

/** Applies the hunks of one file, all of them or none. Throws FileError: `no_match`, `ambiguous`, `invalid`. */
export function patchHunks(
  original: string,
  hunks: readonly FileHunk[],
  context: Omit<PatchContext, "part">,
): PatchedText {
  let progress: HunkProgress = { line: 0, moved: 0 };
  const placers = hunks.map((hunk, at): PlaceChange => (view) => {
    const placed = placeHunk(view, hunk, progress, { ...context, part: `hunk ${at + 1}` });
    progress = advance(view, placed.matches, progress);
    return placed;
  });
  const patched = changeText(original, placers, context.path);
  const end = hunks.findLast(({ lineEndAtEnd }) => lineEndAtEnd !== undefined)?.lineEndAtEnd;
  return { ...patched, text: end === undefined ? patched.text : withLineEnd(patched.text, end) };
}

function advance(view: TextView, matches: readonly TextMatch[], progress: HunkProgress): HunkProgress {
  const [match] = matches;
  if (match === undefined) return progress;
  let more = 0;
  for (const { start, end, text } of match.edits) {
    more += text.split("\n").length - view.text.slice(start, end).split("\n").length;
  }
  const after = match.end > match.start ? view.lineAt(match.end - 1) + 1 : view.lineAt(match.start);
  return { line: Math.max(0, after + more), moved: progress.moved + more };
}

function withLineEnd(text: string, end: "present" | "absent"): string {
  if (end === "absent") return text.replace(/\r?\n$/, "");
  const view = new TextView(text);
  return view.endsWithLineEnd
    ? text
    : view.apply([{ start: view.text.length, end: view.text.length, text: "\n" }]);
}

import { lineDifference } from "./line-difference.js";
import { maxMatches, type TextMatch } from "./text-match.js";
import type { ViewEdit } from "./text-view.js";

/** A text that is looked for character by character, and what is to stand in its place. */
export interface TextChange {
  readonly find: string;
  readonly replace: string;
}

/**
 * Finds a text wherever it stands in a view's text, given in the form that is to be compared, character for character
 * as long as the text itself; `find` is then in that form too. For a change of all places they do not overlap; else each
 * one counts, for it makes the other doubtful.
 */
export function matchText(
  plain: string,
  change: TextChange,
  all: boolean,
  find = change.find,
): readonly TextMatch[] {
  const pieces = changedPieces(change);
  const matches: TextMatch[] = [];
  let at = plain.indexOf(find);
  while (at >= 0 && matches.length < maxMatches) {
    const start = at;
    const edits = pieces.map((piece) => ({ ...piece, start: piece.start + start, end: piece.end + start }));
    matches.push({ start, end: start + find.length, edits });
    at = plain.indexOf(find, at + (all ? find.length : 1));
  }
  return matches;
}

/** The parts of a text that differ from its replacement: what they share stays as the file has it. */
function changedPieces({ find, replace }: TextChange): readonly ViewEdit[] {
  const lines = withEnds(find);
  const others = withEnds(replace);
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length);
  return lineDifference(lines, others).map(({ from, to, otherFrom, otherTo }) =>
    narrow(lines.slice(from, to).join(""), {
      start: starts[from] ?? 0,
      end: starts[to] ?? find.length,
      text: others.slice(otherFrom, otherTo).join(""),
    }),
  );
}

function withEnds(text: string): readonly string[] {
  return text.split(/(?<=\n)/);
}

/** Without what the old and the new text have in common at both ends. */
function narrow(old: string, { start, end, text }: ViewEdit): ViewEdit {
  const room = Math.min(old.length, text.length);
  let head = 0;
  while (head < room && old[head] === text[head]) head += 1;
  let tail = 0;
  while (tail < room - head && old.at(-1 - tail) === text.at(-1 - tail)) tail += 1;
  return { start: start + head, end: end - tail, text: text.slice(head, text.length - tail) };
}

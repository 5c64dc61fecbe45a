import type { PatchedLines } from "./patch-result.js";
import type { TextMatch } from "./text-match.js";
import type { TextView } from "./text-view.js";

const maxPlaces = 100;

/** The lines of places after they were changed, from 1. Only the first 100. */
export function placesAfter(view: TextView, matches: readonly TextMatch[]): readonly PatchedLines[] {
  const places: PatchedLines[] = [];
  let moved = 0;
  for (const match of matches.slice(0, maxPlaces)) {
    const text = changedText(view, match);
    const firstLine = lineNumber(view, match.start) + moved;
    const count = lineEndsIn(text);
    places.push({ firstLine, lastLine: firstLine + count - (endsBetweenLines(view, match, text) ? 1 : 0) });
    moved += count - lineEndsIn(view.text.slice(match.start, match.end));
  }
  return places;
}

/** What stands in a place after its edits. */
function changedText(view: TextView, { start, end, edits }: TextMatch): string {
  let text = "";
  let at = start;
  for (const edit of edits) {
    text += view.text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + view.text.slice(at, end);
}

/** No part of the line after the place belongs to it. */
function endsBetweenLines(view: TextView, { start, end }: TextMatch, text: string): boolean {
  if (text !== "") return text.endsWith("\n");
  const beginsLine = (offset: number): boolean => offset === 0 || view.text[offset - 1] === "\n";
  return beginsLine(start) && (beginsLine(end) || end === view.text.length);
}

/** From 1; behind the last line end it is a line of its own, for text that is put there. */
function lineNumber(view: TextView, offset: number): number {
  const line = view.lineAt(offset);
  return offset === view.text.length && offset > 0 && view.endsWithLineEnd ? view.lines.length + 1 : line + 1;
}

/** Places of an earlier change, as they are after a later one changed lines of the same file. */
export function movePlaces(
  places: readonly PatchedLines[],
  view: TextView,
  matches: readonly TextMatch[],
): readonly PatchedLines[] {
  const edits = matches.flatMap((match) => match.edits);
  return places.map(({ firstLine, lastLine }) => {
    let before = 0;
    let within = 0;
    for (const { start, end, text } of edits) {
      const line = view.lineAt(start) + 1;
      const more = lineEndsIn(text) - lineEndsIn(view.text.slice(start, end));
      if (line < firstLine) before += more;
      else if (line <= lastLine) within += more;
    }
    return { firstLine: firstLine + before, lastLine: lastLine + before + within };
  });
}

function lineEndsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

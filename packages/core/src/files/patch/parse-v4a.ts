import { blockOfHunk, type FileHunk, type HunkLine } from "./file-hunk.js";
import { invalidPatchError } from "./patch-error.js";
import type { PatchLines, PatchSection } from "./patch-section.js";

const marks = {
  begin: "*** Begin Patch",
  end: "*** End Patch",
  add: "*** Add File:",
  delete: "*** Delete File:",
  update: "*** Update File:",
  move: "*** Move to:",
  endOfFile: "*** End of File",
};

/** Whether a line begins a patch in this form. */
export function beginsV4a(line: string | undefined): boolean {
  return line?.trim() === marks.begin;
}

/**
 * Reads a patch of several files in the V4A form: `*** Begin Patch`, a section for each file, `*** End Patch`. Throws
 * FileError `invalid` that names the line.
 */
export function parseV4a(lines: PatchLines): readonly PatchSection[] {
  lines.take();
  const sections: PatchSection[] = [];
  for (;;) {
    lines.skipBlank();
    if (lines.next?.trim() === marks.end) break;
    sections.push(readSection(lines));
  }
  lines.take();
  lines.skipBlank();
  if (lines.next !== undefined) throw complaint(lines, `something follows "${marks.end}"`);
  return sections;
}

function readSection(lines: PatchLines): PatchSection {
  const added = lines.takeAfter(marks.add);
  if (added !== undefined) return { operation: "add", path: named(lines, added), text: readAdded(lines) };
  const deleted = lines.takeAfter(marks.delete);
  if (deleted !== undefined) return { operation: "delete", path: named(lines, deleted) };
  const updated = lines.takeAfter(marks.update);
  if (updated === undefined) {
    const cut = lines.next === undefined;
    throw complaint(
      lines,
      cut ? `the patch ends without "${marks.end}": it may have been cut` : "no section begins here",
    );
  }
  const path = named(lines, updated);
  const moveTo = lines.takeAfter(marks.move);
  const hunks: FileHunk[] = [];
  while (!endsSection(lines)) hunks.push(readHunk(lines));
  if (moveTo === "") throw complaint(lines, `"${marks.move}" names no path`);
  if (hunks.length === 0 && moveTo === undefined)
    throw complaint(lines, `nothing is said to change in "${path}"`);
  return { operation: "update", path, hunks, ...(moveTo === undefined ? {} : { moveTo }) };
}

function named(lines: PatchLines, path: string): string {
  if (path === "") throw complaint(lines, "the line before names no path");
  return path;
}

function readAdded(lines: PatchLines): string {
  const text: string[] = [];
  while (lines.next?.startsWith("+") === true) text.push(`${lines.take().slice(1)}\n`);
  if (!endsSection(lines)) throw complaint(lines, 'a line of an added file does not begin with "+"');
  return text.join("");
}

/** At the next section or the end; blank lines before it belong to nothing. */
function endsSection(lines: PatchLines): boolean {
  const after = lines.afterNext;
  if (lines.next?.trim() === "" && (after === undefined || isSectionMark(after))) lines.take();
  return lines.next === undefined || isSectionMark(lines.next);
}

function isSectionMark(line: string): boolean {
  return isMark(line) && line.trim() !== marks.endOfFile;
}

function isMark(line: string): boolean {
  return line.startsWith("*** ");
}

function readHunk(lines: PatchLines): FileHunk {
  const anchors: string[] = [];
  let expectedLine: number | undefined;
  while (lines.next?.startsWith("@@") === true) {
    const { anchor, line } = readHeader(lines.take());
    if (anchor !== "") anchors.push(anchor);
    expectedLine = line ?? expectedLine;
  }
  const body: HunkLine[] = [];
  while (!endsSection(lines) && lines.next?.startsWith("@@") !== true && !isMark(lines.next ?? "")) {
    body.push(readLine(lines));
  }
  const isAtEnd = lines.next?.trim() === marks.endOfFile;
  if (isAtEnd) lines.take();
  if (!body.some(({ sign }) => sign !== " "))
    throw complaint(lines, "the hunk before adds and removes nothing");
  return { anchors, block: blockOfHunk(body), isAtEnd, expectedLine };
}

/** `@@`, `@@ a line before it`, `@@ -12,3 +12,4 @@ a line before it`. */
function readHeader(header: string): { readonly anchor: string; readonly line: number | undefined } {
  const [, first, rest = ""] = /^@@(?: -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@)?(.*)$/.exec(header) ?? [];
  const anchor = rest.replace(/^ /, "").replace(/ @@$/, "").trimEnd();
  return { anchor, line: first === undefined ? undefined : Number(first) - 1 };
}

function readLine(lines: PatchLines): HunkLine {
  const line = lines.next ?? "";
  // The one space of an empty line of context gets lost easily.
  if (line === "") return { sign: " ", text: lines.take() };
  const sign = line[0];
  if (sign !== " " && sign !== "-" && sign !== "+") {
    throw complaint(lines, 'a line of a hunk begins with none of " ", "-", "+", "@@"');
  }
  return { sign, text: lines.take().slice(1) };
}

function complaint(lines: PatchLines, why: string): Error {
  return invalidPatchError("", `line ${lines.number} of the patch cannot be understood: ${why}.`, form);
}

const form = [
  `A patch is "${marks.begin}", sections "${marks.add} path", "${marks.update} path" (then "${marks.move} path" if it moves)`,
  `or "${marks.delete} path", and "${marks.end}". An update has hunks: "@@ a line before it", then lines that begin with`,
  `" " (kept), "-" (removed) or "+" (added).`,
].join(" ");

import { blockOfHunk, type FileHunk, type HunkLine } from "./file-hunk.js";
import { invalidPatchError } from "./patch-error.js";
import type { PatchLines, PatchSection } from "./patch-section.js";

/**
 * Reads a unified diff, as `diff -u` and `git diff` write it, of one or more files. Throws FileError `invalid` that names
 * the line. Renames, modes and binary parts of git are not understood and refused.
 */
export function parseUnified(lines: PatchLines): readonly PatchSection[] {
  const sections: PatchSection[] = [];
  for (;;) {
    skipPreamble(lines);
    if (lines.next === undefined) return sections;
    sections.push(readFile(lines));
  }
}

/** Whether a line begins a diff of a file. */
export function beginsUnified(lines: PatchLines): boolean {
  return lines.next?.startsWith("--- ") === true && lines.afterNext?.startsWith("+++ ") === true;
}

/** What git says before a file. Anything else between two files would be a hunk that was not understood. */
const preamble = /^(?:diff |index |new file mode |deleted file mode |Index: |={10,}$|$)/;

function skipPreamble(lines: PatchLines): void {
  while (lines.next !== undefined && !beginsUnified(lines)) {
    if (!preamble.test(lines.next)) throw complaint(lines, "neither a hunk nor the beginning of a file");
    lines.take();
  }
}

function readFile(lines: PatchLines): PatchSection {
  const from = nameOf(lines.take().slice(4), "a/");
  const to = nameOf(lines.take().slice(4), "b/");
  const hunks: FileHunk[] = [];
  while (lines.next?.startsWith("@@ ") === true) hunks.push(readHunk(lines));
  if (hunks.length === 0) throw complaint(lines, "a file without a hunk");
  if (to === undefined && from !== undefined) return { operation: "delete", path: from };
  if (to === undefined) throw complaint(lines, "both names are /dev/null");
  if (from === undefined) return { operation: "add", path: to, text: addedText(hunks) };
  return { operation: "update", path: to, hunks, ...(from === to ? {} : { path: from, moveTo: to }) };
}

/** The path in a `---` or `+++` line: without a time after a tab and the prefix of git. Undefined for `/dev/null`. */
function nameOf(text: string, prefix: string): string | undefined {
  const name = (text.split("\t")[0] ?? "").trim();
  if (name === "/dev/null") return undefined;
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

function addedText(hunks: readonly FileHunk[]): string {
  const text = hunks.flatMap(({ block }) => block.changes.flatMap(({ lines }) => lines)).join("\n");
  return hunks.at(-1)?.lineEndAtEnd === "absent" ? text : `${text}\n`;
}

function readHunk(lines: PatchLines): FileHunk {
  const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(lines.next ?? "");
  if (header === null) throw complaint(lines, "the header of a hunk is malformed");
  lines.take();
  const [, start = "0", oldCount = "1", , newCount = "1"] = header;
  let old = Number(oldCount);
  let fresh = Number(newCount);
  const body: HunkLine[] = [];
  const ends: Partial<Record<HunkLine["sign"], true>> = {};
  while (old > 0 || fresh > 0 || lines.next?.startsWith("\\") === true) {
    const line = lines.next ?? "";
    const sign = line === "" ? " " : line[0];
    if (sign === "\\") {
      const last = body.at(-1)?.sign;
      if (last !== undefined) ends[last] = true;
      lines.take();
      continue;
    }
    if (lines.next === undefined || (sign !== " " && sign !== "-" && sign !== "+")) {
      throw complaint(lines, "a hunk has fewer lines than its header says");
    }
    if (sign !== "+") old -= 1;
    if (sign !== "-") fresh -= 1;
    body.push({ sign, text: lines.take().slice(1) });
  }
  if (old < 0 || fresh < 0) throw complaint(lines, "a hunk has other lines than its header says");
  return {
    anchors: [],
    block: blockOfHunk(body),
    isAtEnd: ends[" "] === true || ends["-"] === true,
    // An empty range names the line before it.
    expectedLine: oldCount === "0" ? Number(start) : Number(start) - 1,
    lineEndAtEnd: ends["+"] === true ? "absent" : ends["-"] === true ? "present" : undefined,
  };
}

function complaint(lines: PatchLines, why: string): Error {
  return invalidPatchError(
    "",
    `line ${lines.number} of the diff cannot be understood: ${why}.`,
    "Give it as diff -u writes it, or as a patch between *** Begin Patch and *** End Patch.",
  );
}

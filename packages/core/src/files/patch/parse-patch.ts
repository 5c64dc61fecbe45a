import { parseUnified, beginsUnified } from "./parse-unified.js";
import { beginsV4a, parseV4a } from "./parse-v4a.js";
import { invalidPatchError } from "./patch-error.js";
import { PatchLines, type PatchSection } from "./patch-section.js";

/** Characters that a patch may have. */
const maxLength = 16 * 1024 * 1024;

/** Reads a patch of several files: V4A, or a unified diff. Throws FileError `invalid` or `too_large`. */
export function parsePatch(text: string): readonly PatchSection[] {
  if (text.length > maxLength) {
    throw invalidPatchError("", `the patch has more than ${maxLength / 1024 / 1024} MiB.`, "Split it.");
  }
  const lines = new PatchLines(withoutFence(text));
  lines.skipBlank();
  const sections = beginsV4a(lines.next)
    ? parseV4a(lines)
    : isUnified(lines)
      ? parseUnified(lines)
      : undefined;
  if (sections === undefined) {
    throw invalidPatchError(
      "",
      'the patch begins neither with "*** Begin Patch" nor as a unified diff.',
      'Put "*** Begin Patch" before it and "*** End Patch" after it, each on a line of its own.',
    );
  }
  if (sections.length === 0)
    throw invalidPatchError("", "the patch names no file.", "Add a section for each file.");
  return sections;
}

function isUnified(lines: PatchLines): boolean {
  return beginsUnified(lines) || /^(?:diff |Index: )/.test(lines.next ?? "");
}

/** Models like to put a patch between the marks of a block of code. */
function withoutFence(text: string): string {
  return /^\s*```[^\n]*\n([\s\S]*?)\n```\s*$/.exec(text)?.[1] ?? text;
}

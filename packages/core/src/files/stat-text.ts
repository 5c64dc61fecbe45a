import { FileError } from "../errors/errors.js";
import type { FileType } from "./file-facts.js";

/*
 * One line of `stat` about one file: mode, links, owner, group, size, seconds, then `|` and what makes a version. GNU and
 * busybox take the first format, BSD the second. A format must not depend on the name: that comes separately.
 */

export const gnuFormat = "%f %h %u %g %s %Y|%d.%i.%s.%y.%z";
const bsdFormat = "%Xp %l %u %g %z %m|%d.%i.%z.%Fm.%Fc";

/** Shell text that prints the line for a word of shell text, which must not look like an option. */
export function statText(word: string, followLinks: boolean): string {
  const follow = followLinks ? "-L " : "";
  return `{ stat ${follow}-c '${gnuFormat}' ${word} 2>/dev/null || stat ${follow}-f '${bsdFormat}' ${word}; }`;
}

/** Shell text that puts the line of `./$b`, links followed, into `z`. One program a substitution: bash then forks once. */
export const statIntoZ = `{ z=$(stat -L -c '${gnuFormat}' "./$b" 2>/dev/null) || z=$(stat -L -f '${bsdFormat}' "./$b"); }`;

/** What such a line says. */
export interface StatLine {
  readonly type: FileType;
  readonly mode: number;
  readonly links: number;
  readonly uid: number;
  readonly gid: number;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly version: string;
}

const types: Readonly<Record<number, FileType>> = {
  0o01: "fifo",
  0o02: "character_device",
  0o04: "directory",
  0o06: "block_device",
  0o10: "file",
  0o12: "symlink",
  0o14: "socket",
};

/** Throws FileError when it is no such line: the sandbox has a `stat` of another kind, or none. */
export function parseStatLine(line: string, path: string): StatLine {
  const found = /^([0-9a-f]+) (\d+) (\d+) (\d+) (\d+) (\d+)\|(.+)$/i.exec(line.trim());
  const [, mode, links, uid, gid, size, seconds, version] = found ?? [];
  if (mode === undefined || version === undefined) {
    throw new FileError(path, "io", `The sandbox does not tell about ${JSON.stringify(path)}.`, {
      operation: "stat",
      hint: "The program `stat` (GNU, busybox or BSD) has to be in the sandbox.",
    });
  }
  const bits = Number.parseInt(mode, 16);
  return {
    type: types[bits >> 12] ?? "unknown",
    mode: bits & 0o7777,
    links: Number(links),
    uid: Number(uid),
    gid: Number(gid),
    sizeBytes: Number(size),
    modifiedMs: Number(seconds) * 1000 + fractionMs(version),
    version: encodeVersion(version),
  };
}

/** GNU: `….2026-12-01 00:29:48.123456789 +0000.…`. BSD: `….1796085.123456789.…`. */
function fractionMs(version: string): number {
  const digits = /(?::\d\d|\.\d{9,})\.(\d{1,9})/.exec(version)?.[1];
  return digits === undefined ? 0 : Math.trunc(Number(`0.${digits}`) * 1e6) / 1000;
}

/** A version as a caller holds it: one word. */
function encodeVersion(raw: string): string {
  return raw.replaceAll("_", "").replaceAll(" ", "_");
}

/** And as the sandbox prints it, for a comparison there. */
export function decodeVersion(version: string): string {
  return version.replaceAll("_", " ");
}

import { setImmediate } from "node:timers/promises";
import { fromShellBytes } from "../shell/shell-bytes.js";
import type { FoundFile } from "./search-collector.js";
import type { SearchMatcher } from "./search-matcher.js";
import type { SearchMatch } from "./search-result.js";

export interface ShownMatches {
  readonly matches: readonly SearchMatch[];
  /** How many of the files have a line among them. */
  readonly files: number;
  readonly isMore: boolean;
}

/** After so much of lines, whatever else the process does has its turn. */
const bytesATurn = 256 * 1024;

/** Takes the first matches with their context, cuts lines on borders of characters, and finds each match's column. */
export async function shownMatches(
  files: readonly FoundFile[],
  options: {
    readonly matcher: SearchMatcher;
    readonly limit: number;
    readonly context: number;
    readonly maxLineBytes: number;
    readonly signal: AbortSignal | undefined;
  },
): Promise<ShownMatches> {
  const matches: SearchMatch[] = [];
  let count = 0;
  let used = 0;
  let scanned = 0;
  for (const file of files) {
    if (count === options.limit) return { matches, files: used, isMore: file.matches > 0 };
    used += 1;
    const path = fromShellBytes(file.path);
    let lastLine = 0;
    for (const { number, isMatch, text } of file.records) {
      if (count === options.limit) {
        if (isMatch) return { matches, files: used, isMore: true };
        // Context of a match that is beyond the limit.
        if (number > lastLine + options.context) continue;
      }
      const line = text.replace(/\r$/, "");
      if (isMatch) {
        count += 1;
        lastLine = number;
        scanned += line.length;
      }
      if (scanned > bytesATurn) {
        scanned = 0;
        await setImmediate();
        options.signal?.throwIfAborted();
      }
      matches.push({
        path,
        line: number,
        column: isMatch ? column(options.matcher, line) : 0,
        text: cut(line, options.maxLineBytes),
        isMatch,
      });
    }
  }
  return { matches, files: used, isMore: false };
}

/** From 1. Where only the part of a very long line that was not kept has the match, the first column after what was. */
function column(matcher: SearchMatcher, bytes: string): number {
  const line = fromShellBytes(bytes);
  return (matcher.find(line) ?? Array.from(line).length) + 1;
}

function cut(bytes: string, most: number): string {
  if (bytes.length <= most) return fromShellBytes(bytes);
  let end = most;
  // Back to where a character of UTF-8 begins; bytes that are none may be parted anywhere.
  while (end > 0 && most - end < 3 && (bytes.charCodeAt(end) & 0xc0) === 0x80) end -= 1;
  return fromShellBytes(bytes.slice(0, end === 0 ? most : end));
}

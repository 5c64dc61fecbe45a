import type { BlockChange, LineBlock } from "./line-block.js";

/** A piece of a patch: some lines of a file and what becomes of them. */
export interface FileHunk {
  /** Lines that stand somewhere before it, outermost first: a class, a function. */
  readonly anchors: readonly string[];
  readonly block: LineBlock;
  /** Its lines are the last ones of the file. */
  readonly isAtEnd: boolean;
  /** Number of its first line, from 0, as the patch has it. */
  readonly expectedLine?: number | undefined;
  /** What a unified diff says of the end of the file after the change. */
  readonly lineEndAtEnd?: "present" | "absent" | undefined;
}

/** A line of a hunk: kept, removed, or added. */
export interface HunkLine {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

/** What a hunk looks for, and where in it lines are removed and added. */
export function blockOfHunk(hunkLines: readonly HunkLine[]): LineBlock {
  const lines: string[] = [];
  const changes: (BlockChange & { to: number; lines: string[] })[] = [];
  for (const { sign, text } of hunkLines) {
    const last = changes.at(-1);
    const open = last !== undefined && last.to === lines.length ? last : undefined;
    if (sign === "+") {
      if (open === undefined) changes.push({ from: lines.length, to: lines.length, lines: [text] });
      else open.lines.push(text);
      continue;
    }
    lines.push(text);
    if (sign === " ") continue;
    if (open === undefined) changes.push({ from: lines.length - 1, to: lines.length, lines: [] });
    else open.to = lines.length;
  }
  return { lines, changes: changes.map(({ from, to, lines: added }) => ({ from, to, lines: added })) };
}

/** The lines of a block after its changes. */
export function changedBlock({ lines, changes }: LineBlock): readonly string[] {
  const changed: string[] = [];
  let at = 0;
  for (const change of changes) {
    changed.push(...lines.slice(at, change.from), ...change.lines);
    at = change.to;
  }
  return [...changed, ...lines.slice(at)];
}

import { plainLine } from "./line-keys.js";
import { noMatchError } from "./patch-error.js";
import type { PatchContext } from "./patch-context.js";
import type { TextView } from "./text-view.js";

/**
 * Where anchors stand: lines, from 0, each the innermost anchor of a chain. The first one is looked for from `from` on,
 * and failing that from the beginning. Undefined when there is no anchor. Throws FileError `no_match`.
 */
export function findAnchor(
  view: TextView,
  anchors: readonly string[],
  from: number,
  context: PatchContext,
): readonly number[] | undefined {
  const [outermost, ...inner] = anchors;
  if (outermost === undefined) return undefined;
  const after = linesLike(view, outermost, from);
  const starts = after.length > 0 || from === 0 ? after : linesLike(view, outermost, 0);
  if (starts.length === 0) throw anchorMissing(view, outermost, context);
  let found = starts;
  for (const anchor of inner) {
    const next = found.flatMap((start) => linesLike(view, anchor, start + 1)[0] ?? []);
    if (next.length === 0) throw anchorMissing(view, anchor, context);
    found = [...new Set(next)];
  }
  return found;
}

/** Lines that are the anchor; if there is none, lines that begin with it; if there is none, lines that hold it. */
function linesLike(view: TextView, anchor: string, from: number): readonly number[] {
  const wanted = plainLine(anchor);
  const kinds: readonly [number[], number[], number[]] = [[], [], []];
  for (let at = from; at < view.lines.length; at += 1) {
    const line = plainLine(view.lines[at] ?? "");
    if (line === wanted) kinds[0].push(at);
    else if (line.startsWith(wanted)) kinds[1].push(at);
    else if (line.includes(wanted)) kinds[2].push(at);
  }
  return kinds.find((lines) => lines.length > 0) ?? [];
}

function anchorMissing(view: TextView, anchor: string, context: PatchContext): Error {
  return noMatchError(view, [anchor], { ...context, part: `the line after "@@" of ${context.part}` });
}

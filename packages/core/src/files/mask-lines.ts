import type { ByteFilter } from "../secrets/stream-redactor.js";
import { splitLines } from "./line-window.js";

/**
 * Lines with the secrets taken out that a filter knows; undefined when there are none in them. As many lines as before, so
 * that each keeps its number: where a secret of several lines was, the lines it took are placeholders.
 */
export function maskLines(
  lines: readonly string[],
  filter: ByteFilter | undefined,
): readonly string[] | undefined {
  if (filter === undefined) return undefined;
  const text = lines.join("");
  const pieces = [...filter.push(Buffer.from(text, "utf8")), ...filter.flush()];
  const masked = Buffer.concat(pieces).toString("utf8");
  if (masked === text) return undefined;
  // A placeholder must not decide what ends a line: without a line feed a carriage return does.
  const found = [...splitLines(masked)];
  return found.length === lines.length ? found : spread(lines, found);
}

/** Gives every line its number again, where some have been joined by a secret across their ends. */
function spread(lines: readonly string[], masked: readonly string[]): readonly string[] {
  const placed: string[] = [];
  let missing = lines.length - masked.length;
  for (const [index, line] of masked.entries()) {
    placed.push(line);
    if (line === lines[placed.length - 1] || missing <= 0) continue;
    const [, placeholder = ""] = /.*(\[redacted:[^\]]*\])/s.exec(line) ?? [];
    const tail = line.slice(line.lastIndexOf(placeholder) + placeholder.length);
    const next = masked[index + 1];
    const most = missing;
    for (let taken = 0; taken <= most; taken++) {
      const at = placed.length - 1;
      const ends = lines[at]?.endsWith(tail) === true;
      const isLast = next === undefined ? at === lines.length - 1 : goesOn(next, lines[at + 1]);
      if (ends && isLast) break;
      if (taken === most) break;
      placed.push(`${placeholder}\n`);
      missing -= 1;
    }
  }
  return placed;
}

/** Whether a masked line can have come from this one. */
function goesOn(masked: string, line: string | undefined): boolean {
  const placeholderAt = masked.indexOf("[redacted:");
  const head = placeholderAt < 0 ? masked : masked.slice(0, placeholderAt);
  return line !== undefined && (placeholderAt < 0 ? line === head : line.startsWith(head));
}

import { fail, resolveText, type ResolvePlan } from "./resolve-script.js";
import { statIntoZ } from "./stat-text.js";

/** Up to this size a file comes whole, and its lines are counted and cut here. */
export const wholeBytes = 1024 * 1024;
/** What is looked at to tell text from other things. */
export const headBytes = 4096;

/** The window a script cuts out of a large file. */
export interface ScriptWindow {
  readonly offset: number;
  readonly limit: number;
  readonly maxBytes: number;
  readonly maxLineBytes: number;
}

/** How much more of a line comes than is shown: a secret across the cut is known by its rest. */
const beyondCutBytes = 1024;
/** Lines in one window that this is done for. */
const mostLinesCut = 4096;

/** What a window of a large file may have on its way, before secrets are taken out and lines are cut. */
export function wireLimits({ limit, maxBytes, maxLineBytes }: ScriptWindow): {
  readonly lineBytes: number;
  readonly windowBytes: number;
} {
  const longLines = Math.min(limit, Math.floor(maxBytes / maxLineBytes) + 1, mostLinesCut);
  return {
    lineBytes: maxLineBytes + beyondCutBytes,
    windowBytes: maxBytes + longLines * beyondCutBytes,
  };
}

/** Shell text: the names beside the missing one, then the end. At most 2,000. */
export const missingWithNames =
  `printf '!not_found\\0%s\\0' "$r"; n=0; ` +
  `for t in * .*; do printf '%s\\0' "$t"; n=$((n + 1)); [ "$n" -lt 2000 ] || break; done`;

/** Shell text that ends unless `./$b` is a regular file. */
export const regularFileOnly = `[ -f "./$b" ] || { [ ! -d "./$b" ] || ${fail("is_directory")}; ${fail("not_regular")}; }`;

/** Sets `z` to the file's line of `stat` and `1` to `6` to its fields. */
export const statIntoFields = `${statIntoZ} || ${fail("failed")}; set -- \${z%%|*}`;

/**
 * Reads any file in one round trip. Answer: `=`, line of `stat`, physical path, kind, content.
 *
 * Kind `w`: the whole file. Kind `p`: its first 4,096 bytes, then a line with the number of line feeds and the last byte
 * as a number, then the lines of the window, each cut, and that altogether cut, with one byte more than allowed, which
 * tells that it was cut (`wireLimits`). A file of size 0 is read to its end: those of /proc say 0 and have content.
 */
export function readScript(plan: ResolvePlan, window: ScriptWindow): string {
  const { offset, limit } = window;
  const { lineBytes, windowBytes } = wireLimits(window);
  return [
    resolveText(plan),
    regularFileOnly,
    `[ -r "./$b" ] || ${fail("permission")}`,
    statIntoFields,
    'case $5 in *[!0-9]*|"") set -- 0 0 0 0 0;; esac',
    `if [ "$5" -le ${wholeBytes} ]; then`,
    `printf '=%s\\0%s\\0w\\0' "$z" "$r"; head -c ${wholeBytes + 1} <"./$b"`,
    `else printf '=%s\\0%s\\0p\\0' "$z" "$r"; head -c ${headBytes} <"./$b"; wc -l <"./$b"; tail -c 1 <"./$b" | od -An -tu1`,
    `tail -n +${offset} <"./$b" | head -n ${limit} | cut -b 1-${lineBytes} | head -c ${windowBytes + 1}`,
    "fi; exit 0",
  ].join("\n");
}

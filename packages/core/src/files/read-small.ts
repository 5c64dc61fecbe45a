import { shellQuote } from "../shell/quote.js";
import type { FilePath } from "./file-path.js";
import type { FileAnswer, FileShell } from "./file-shell.js";
import { refusedTops } from "./path-policy.js";
import { gnuFormat } from "./stat-text.js";

/** Up to this size bash reads a text by itself: no program has to be started for it. */
const builtinBytes = 64 * 1024;

/**
 * The answer of `readScript` for the ordinary case, a small text under its own name, in one short round trip: a warm
 * shell takes its scripts byte by byte, so the whole script with all its exceptions would cost as much again. Undefined
 * when anything is unusual (a link, no such file, a NUL, nothing in it, too large, near a place that is refused): then
 * the whole script decides, and says why.
 */
export async function readSmall(
  shell: FileShell,
  call: { readonly operation: string; readonly path: FilePath; readonly signal: AbortSignal | undefined },
): Promise<FileAnswer | undefined> {
  const { path } = call;
  if (!shell.readsSmall || path.isDirectory || /\p{Surrogate}/u.test(path.directory + path.name))
    return undefined;
  const answer = await shell.run(smallScript(path), {
    ...call,
    maxAnswerBytes: builtinBytes,
    isQuiet: true,
  });
  if (answer.bytes[0] === 0x6e) shell.readsSmall = false;
  return answer.bytes[0] === 0x3d && answer.bytes.includes(0) ? answer : undefined;
}

/** The content in such an answer: what stands after the line of `stat`, the path and the kind. */
export function smallContent({ bytes }: FileAnswer): Uint8Array {
  return bytes.subarray(bytes.indexOf(0, bytes.indexOf(0) + 1) + 3);
}

function smallScript({ base, directory, name }: FilePath): string {
  const start = { root: "", home: "~/", standing: "./" }[base];
  const refused = refusedTops.map((top) => `${top}*`).join("|");
  return [
    '{ [ "${BASH_VERSION-}" ] || { printf n; exit; }',
    `cd -P -- ${start}${shellQuote(directory)} && b=./${shellQuote(name)} && [ -f "$b" ] && [ ! -L "$b" ] && [ -r "$b" ] || exit 0`,
    // Two slashes at the beginning, or nothing but one, would not give the path as rules and callers know it.
    `case $PWD in /|//*|${refused}) exit;; esac`,
    // First: a version must not be newer than the content that it names.
    `x=; stat -c '=${gnuFormat}' "$b" || { printf n; exit; }`,
    // Status 1 says that the end of the file was reached, and so that there is no NUL in it.
    `LC_ALL=C IFS= read -r -d "" -n ${builtinBytes} x <"$b"`,
    '[ $? = 1 ] && [ "$x" ] && printf "\\0%s\\0w\\0%s" "$PWD${b#.}" "$x"; exit 0; } 2>/dev/null',
  ].join("\n");
}

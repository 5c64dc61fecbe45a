import { bashText } from "../shell/bash-text.js";
import { shellQuote } from "../shell/quote.js";
import { aliveFunction, readBootId } from "./shell-pieces.js";

/**
 * Prints what the journal says of jobs: for each a line with the mark and its id, six lines, and its directory; at the
 * end one `ls` of all logs for their sizes. Nothing is started for a single job, so that a list of 200 stays cheap.
 *
 * Whether the supervisor lives is looked at before its exit is read: what ends between the two has written its exit.
 */
const inspect = bashText`
cd -- "$folder/jobs" 2>/dev/null || { echo "$mark gone"; exit 0; }
now=\${EPOCHREALTIME:-$(date +%s)}
for id in $ids; do
  [ -d "$id" ] || continue
  spec= supervisor= pid= result= is_alive=0 flags=
  { IFS= read -r spec <"$id/spec"; read -r supervisor <"$id/supervisor"; read -r pid <"$id/pid"; } 2>/dev/null
  if [ -z "$pid" ]; then { read -r pid <"$id/pid"; } 2>/dev/null; fi
  if [ -z "$supervisor" ]; then [ -e "$id/run" ] && flags=starting || flags=idle
  elif alive $supervisor; then is_alive=1; fi
  { read -r result <"$id/exit"; } 2>/dev/null
  [ ! -e "$id/log-failed" ] || flags="$flags log-failed"
  printf '%s\n' "$mark $id" "$spec" "$supervisor" "$pid" "$result" "$is_alive" "$flags"
  while IFS= read -r line || [ -n "$line" ]; do printf '%s\n' "$line"; done 2>/dev/null <"$id/cwd"
done
printf '%s\n' "$mark sizes" "\${now%%,*}"
for id in $ids; do set -- "$@" "$id/log"; done
ls -ln -- "$@" 2>/dev/null
:
`;

/** The text that inspects jobs: those of these ids, or all. `mark` is a word that occurs nowhere else. */
export function inspectText(folder: string, mark: string, ids: readonly string[] | undefined): string {
  const list = ids === undefined ? "ids='[0-9a-f]*'" : `ids=${shellQuote(ids.join(" "))}`;
  return `folder=${shellQuote(folder)} mark=${mark} ${list}\nset --\n${readBootId}${aliveFunction}${inspect}`;
}

import { bashText } from "../shell/bash-text.js";
import { shellQuote } from "../shell/quote.js";
import { aliveFunction, readBootId } from "./shell-pieces.js";

/**
 * One process that tells about the ends of all jobs of a session. Supervisors write into its FIFO: `e id result`. One
 * that was killed writes nothing: every two seconds it is looked at who still lives (`l id`). A dot now and then finds out
 * that nobody listens any more; where bash can, the end of standard input tells it sooner.
 */
const watch = bashText`
umask 077
fifo=$folder/watchers/$$
mkfifo -- "$fifo" 2>/dev/null || { echo failed; exit 1; }
exec 3<>"$fifo" 2>/dev/null
trap 'rm -f -- "$fifo"' EXIT
trap 'exit 0' HUP INT TERM PIPE
echo ready
told=' ' round=0
while [ -p "$fifo" ]; do
  if IFS= read -r -t 2 line <&3; then printf '%s\n' "$line" || exit 0; continue; fi
  if [ -n "\${BASH_VERSION-}" ] && read -r -t 0 line; then read -r -t 0.05 line || exit 0; fi
  round=$((round + 1))
  [ $((round % 5)) != 0 ] || echo . || exit 0
  for job in "$folder"/jobs/[0-9a-f]*; do
    [ ! -e "$job/exit" ] && [ -s "$job/supervisor" ] || continue
    case $told in *" \${job##*/} "*) continue ;; esac
    line=; read -r line <"$job/supervisor"
    alive $line && continue
    [ ! -e "$job/exit" ] || continue
    told="$told\${job##*/} "
    printf 'l %s\n' "\${job##*/}"
  done
done
`;

export function watcherText(folder: string): string {
  return `folder=${shellQuote(folder)}\n${readBootId}${aliveFunction}${watch}`;
}

/**
 * For a sandbox where no process can be held: waits up to half a second until one of the jobs has ended, and prints the
 * ends there are as the watcher does.
 */
export function pollText(folder: string, ids: readonly string[]): string {
  return (
    `folder=${shellQuote(folder)} ids=${shellQuote(ids.join(" "))}\n${readBootId}${aliveFunction}` +
    bashText`
round=0 found=
while [ -z "$found" ] && [ $round -lt 10 ]; do
  for id in $ids; do
    job=$folder/jobs/$id line= result=
    { read -r line <"$job/supervisor"; } 2>/dev/null
    is_alive=1; [ -z "$line" ] || alive $line || is_alive=0
    if { read -r result <"$job/exit"; } 2>/dev/null; then found=1; echo "e $id $result"
    elif [ $is_alive = 0 ] || [ ! -d "$job" ]; then found=1; echo "l $id"; fi
  done
  [ -n "$found" ] || { sleep 0.05 2>/dev/null || { sleep 1; round=$((round + 10)); }; }
  round=$((round + 1))
done
:
`
  );
}

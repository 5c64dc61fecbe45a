import { bashText } from "../shell/bash-text.js";
import { killFunctions } from "../shell/kill-text.js";
import { shellQuote } from "../shell/quote.js";
import { aliveFunction, readBootId } from "./shell-pieces.js";
import type { JournalPlace } from "./journal-place.js";

/**
 * Finds out whether the job's shell is still the process that the journal means, asks for the end, and waits until the
 * supervisor has written it. A pid that is another's now is left alone: the mark and the pipe find what else there is.
 */
const findShell = bashText`
[ -d "$job" ] || { echo "k gone"; exit 0; }
[ -e "$job/exit" ] || : >"$job/stopping"
line= pid=none start= boot_then=
{ read -r line <"$job/supervisor"; } 2>/dev/null
supervisor=$line boot_then=\${line##* }
{ read -r pid start line <"$job/pid"; } 2>/dev/null
pgid=none
if alive "$pid" "$start" "$boot_then"; then pgid=$pid; fi
`;

const bashStop = bashText`
exec 2>/dev/null
LC_ALL=C
have_proc=; [[ -r /proc/self/stat ]] && have_proc=1
id=k
${killFunctions}
${findShell}
mark=TALARIA_JOB=$job members=() liveness=
case $start in '' | *[!0-9]*) since=0 ;; *) since=$start ;; esac
[[ ! -p $job/life ]] || liveness=$job/life
open_liveness "$liveness"
end_members
report
for (( round = 0; round < 300; round++ )); do
  [[ ! -e $job/exit ]] && alive $supervisor || break
  pause 0.01
done
printf 'k d %s\n' "$proof"
`;

/** Without bash there is the process group, and nothing that proves more. busybox's `kill` knows no `--`. */
const shStop = bashText`
${findShell}
# Where no session of its own could be made it leads no group either.
gone() {
  left=
  if [ ! -r /proc/self/stat ]; then ! kill -0 "-$pgid" 2>/dev/null && ! kill -0 "$pgid" 2>/dev/null; return; fi
  for entry in /proc/[0-9]*; do
    stat=; { IFS= read -r stat <"$entry/stat"; } 2>/dev/null || continue
    set -- \${stat##*) }
    # What is dead and not yet waited for still answers to signals.
    case $1 in Z | X) continue ;; esac
    if [ "$3" = "$pgid" ] || [ "$4" = "$pgid" ] || [ "\${entry#/proc/}" = "$pgid" ]; then left="$left \${entry#/proc/}"; fi
  done
  [ -z "$left" ]
}
send() {
  gone || [ -z "$left" ] || { kill "-$1" $left 2>/dev/null; return; }
  kill "-$1" "-$pgid" 2>/dev/null || kill "-$1" "$pgid" 2>/dev/null; }
if [ $pgid != none ]; then
  send TERM; send CONT
  round=0
  while ! gone && [ $round -lt $((grace / 50 + 1)) ]; do round=$((round + 1)); sleep 0.05 2>/dev/null || sleep 1; done
  gone || send KILL
  round=0
  while ! gone && [ $round -lt 20 ]; do round=$((round + 1)); sleep 0.05 2>/dev/null || sleep 1; done
fi
round=0
while [ ! -e "$job/exit" ] && alive $supervisor && [ $round -lt 60 ]; do round=$((round + 1)); sleep 0.05 2>/dev/null || sleep 1; done
if [ $pgid != none ] && ! gone; then for pid in \${left:-$pgid}; do echo "k s $pid [job]"; done; echo 'k d unverified'
elif [ -e "$job/exit" ] || [ $pgid != none ]; then echo 'k d group'
else echo 'k d unverified'; fi
`;

/** The text that ends a job. Answers `k s pid command` for what is still alive, then `k d proof`; or `k gone`. */
export function stopText(place: JournalPlace, folder: string, graceMs: number): string {
  const values = `job=${shellQuote(folder)} grace=${Math.ceil(graceMs)}\n`;
  // In a subshell: nothing of it may stay in the shell of Talaria's own scripts.
  return `(${values}${readBootId}${aliveFunction}${place.isBash ? bashStop : shStop})`;
}

/**
 * The text that asks many jobs to end, at once, and waits for them up to the grace. What proves an end looks at every
 * process there is: it is left for when most of them are gone.
 */
export function askToEndText(folder: string, ids: readonly string[], graceMs: number): string {
  return (
    `(cd ${shellQuote(folder)} || exit 0; ids=${shellQuote(ids.join(" "))} rounds=${Math.ceil(graceMs / 50)}\n` +
    readBootId +
    aliveFunction +
    bashText`
for id in $ids; do
  [ -d "$id" ] && [ ! -e "$id/exit" ] || continue
  : >"$id/stopping"
  line= pid= start=
  { read -r line <"$id/supervisor"; read -r pid start ended <"$id/pid"; } 2>/dev/null
  if alive "$pid" "$start" "\${line##* }"; then { kill -TERM "-$pid"; kill -CONT "-$pid"; } 2>/dev/null; fi
done
while [ $rounds -gt 0 ]; do
  rounds=$((rounds - 1)) waiting=
  for id in $ids; do [ -e "$id/exit" ] || { waiting=1; break; }; done
  [ -n "$waiting" ] || break
  sleep 0.05 2>/dev/null || sleep 1
done
:)`
  );
}

/** The text that sends a signal to a job's process group. Answers `sent`, `gone` or `ended`. */
export function signalText(folder: string, name: string): string {
  return (
    `job=${shellQuote(folder)} name=${name}\n${readBootId}${aliveFunction}` +
    bashText`
[ -d "$job" ] || { echo gone; exit 0; }
line= pid= start=
{ read -r line <"$job/supervisor"; read -r pid start line2 <"$job/pid"; } 2>/dev/null
if [ ! -e "$job/exit" ] && alive "$pid" "$start" "\${line##* }" && kill "-$name" "-$pid" 2>/dev/null; then echo sent
else echo ended; fi
`
  );
}

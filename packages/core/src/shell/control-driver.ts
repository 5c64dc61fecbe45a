import { bashText } from "./bash-text.js";
import { killFunctions } from "./kill-text.js";

/**
 * The text of the control shell: a second bash in the sandbox that ends what a channel runs and says what is left. It
 * uses builtins alone until it has answered, so that it still works where no further process can be started.
 *
 * A request is one line: `op id pgid graceMs mark files`. The answer is one line a process still alive, `id s pid
 * command`, and then `id d proof`.
 *
 * Witnesses of a process that belongs to a channel: its process group or session, the channel's mark in its
 * environment, the channel's liveness pipe among its descriptors. A process that hides from all of them has left.
 */
export const controlDriver = bashText`
exec 2>/dev/null
LC_ALL=C
have_proc=; [[ -r /proc/self/stat ]] && have_proc=1

${killFunctions}
# Removes the files of channels whose bash is gone without having done it: killed, or with a host that was. Their names
# begin with its pid.
reap() {
  local file pid
  for file in "\${files%/*}"/*.s; do
    pid=\${file##*/}; pid=\${pid%%.*}
    [[ -n $have_proc && $pid == +([0-9]) && ! -e /proc/$pid ]] || continue
    rm -f -- "\${file%.s}".[esf]
  done
}

shopt -s extglob
reaped=
while IFS=' ' read -r op id pgid grace mark files; do
  members=() proof=all mark=TALARIA_CHANNEL=$mark liveness=
  # Its bash still shows where the pipe is, while it lives.
  if [[ -p /proc/$pgid/fd/198 ]]; then liveness=/proc/$pgid/fd/198; elif [[ -p $files.f ]]; then liveness=$files.f; fi
  open_liveness "$liveness"
  case $op in
  kill) end_members ;;
  list) full=full; scan; others=(); for pid in "\${members[@]}"; do [[ $pid == "$pgid" ]] || others+=("$pid"); done
    members=("\${others[@]}") ;;
  esac
  report
  exec 7<&-
  printf '%s d %s\n' "$id" "$proof"
  [[ -n $reaped ]] || { reaped=1; reap; }
  [[ $op != kill ]] || rm -f -- "$files.f" "$files.s" "$files.e"
done
exit 0
`;

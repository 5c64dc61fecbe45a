import { bashText } from "../shell/bash-text.js";

/**
 * The supervisor of one job, S: a script for `sh`, started with the job's folder as its argument, in a session of its
 * own and with the variables, the directory and the umask that the job gets. It needs nobody outside the sandbox.
 *
 * It makes `run` first: whoever does that runs the command, and nobody else ever. It runs the job's shell J in the
 * foreground, for a shell makes what it runs in the background ignore INT and QUIT. J's output goes through a FIFO and a
 * `cat` into the log: a plain file as standard output would be cut off by every `>/dev/stderr` of the command.
 *
 * Descriptors: 3 tells the starter that J is up; 4 is `out`, J's output; 6 `hold`, on which a line ends J's standard
 * input; 7 `copied`, on which the end of `cat` is told; 9 J's standard input. A FIFO is opened for reading and writing
 * first: that waits for nobody. Names begin with `__tl_`, because the session's variables are here as well.
 */
export const supervisorText = bashText`
exec 3>&1 >/dev/null
__tl_d=$1
. "$__tl_d/settings"
__tl_had_path=\${PATH+x} __tl_path=\${PATH-} __tl_umask=$(umask)
PATH=$__tl_tools
umask 077
exec 2>"$__tl_d/notice"
trap : HUP INT TERM QUIT PIPE ALRM USR1 USR2
mkdir "$__tl_d/run" || { echo taken >&3; exit 0; }

__tl_stat= __tl_boot=none __tl_start=
{ read -r __tl_boot </proc/sys/kernel/random/boot_id; } 2>/dev/null
identity() { __tl_start=\${20}; }
if { IFS= read -r __tl_stat </proc/$$/stat; } 2>/dev/null; then identity \${__tl_stat##*) }
else __tl_start=$(ps -o lstart= -p $$ | tr -d ' '); fi
printf '%s %s %s\n' "$$" "$__tl_start" "$__tl_boot" >"$__tl_d/supervisor"

exec 7<>"$__tl_d/copied" 5<>"$__tl_d/out" 4>"$__tl_d/out" 8<"$__tl_d/out"
exec 5>&-
( trap '' HUP INT TERM QUIT PIPE
  exec 3>&- 4>&-
  cat <&8 >>"$__tl_d/log" || { : >"$__tl_d/log-failed"; cat <&8 >/dev/null; }
  echo >&7 ) &
exec 8<&-
if [ "$__tl_stdin" = open ]; then
  exec 6<>"$__tl_d/hold" 5<>"$__tl_d/in" 8>"$__tl_d/in" 9<"$__tl_d/in"
  exec 5>&-
  ( trap '' HUP INT TERM QUIT; exec 3>&- 4>&- 7>&- 9<&-; read -r __tl_x <&6 ) &
  exec 8>&-
else
  exec 9</dev/null
fi

( export TALARIA_JOB="$__tl_d"
  trap - HUP INT TERM QUIT PIPE ALRM USR1 USR2
  exec <&9 >&4 2>&4 4>&- 6>&- 7>&- 9<&-
  . "$__tl_folder/$__tl_start_file" )
__tl_status=$?

exec 4>&- 9<&-
[ "$__tl_stdin" != open ] || echo >&6
size_of() { __tl_size=0; set -- $(ls -ln "$__tl_d/log"); [ -z "$5" ] || __tl_size=$5; }
# At the end of all who write to it, the copy is complete at once. Where something of the job goes on, it is complete
# when the pipe has been found empty twice.
if [ -n "\${BASH_VERSION-}" ]; then
  if ! read -r -t 0.1 __tl_x <&7; then
    __tl_last=-1 __tl_round=0
    exec 5<>"$__tl_d/out"
    while [ "$__tl_round" -lt 50 ]; do
      __tl_round=$((__tl_round + 1))
      size_of
      if ! read -r -t 0 <&5 && [ "$__tl_size" = "$__tl_last" ]; then break; fi
      __tl_last=$__tl_size
      read -r -t 0.02 __tl_x <&7 && break
    done
    exec 5>&-
  fi
else
  read -r -t 1 __tl_x <&7
fi

size_of
__tl_kind=exited __tl_number= __tl_recorded= __tl_x=
{ read -r __tl_number __tl_recorded __tl_x <"$__tl_d/record"; } 2>/dev/null
if [ "$__tl_status" -gt 128 ]; then
  if [ -n "$__tl_recorded" ]; then [ "$__tl_recorded" = "$__tl_status" ] || __tl_kind=signaled
  elif [ -s "$__tl_d/notice" ]; then __tl_kind=signaled
  else case $__tl_status in 130 | 141) __tl_kind=signaled ;; esac; fi
fi
[ "$__tl_kind" = exited ] || __tl_status=$((__tl_status - 128))
__tl_stopped=0; [ ! -e "$__tl_d/stopping" ] || __tl_stopped=1
__tl_now=\${EPOCHREALTIME:-$(date +%s)}
__tl_line="$__tl_kind $__tl_status $__tl_stopped \${__tl_now%%,*} $__tl_size"
forget_state() {
  [ ! -e "$__tl_d/adopt" ] || return 0
  [ ! -L "$__tl_d/record" ] || rm -f "$(readlink "$__tl_d/record")"
  rm -f "$__tl_d/record"
}
forget_state
rm -f "$__tl_d/shell"
printf '%s\n' "$__tl_line" >"$__tl_d/exit.new" && mv "$__tl_d/exit.new" "$__tl_d/exit"
# Who gives the state up removes "adopt" and then looks for "exit": of the two, one sees what the other did.
forget_state

# Opened for reading and writing, a FIFO that nobody reads any more holds nobody up.
for __tl_x in "$__tl_folder"/watchers/*; do
  [ -p "$__tl_x" ] || continue
  if kill -0 "\${__tl_x##*/}"; then printf 'e %s %s\n' "\${__tl_d##*/}" "$__tl_line" 1<>"$__tl_x"
  else rm -f "$__tl_x"; fi
done
exit 0
`;

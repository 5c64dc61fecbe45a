import { bashLine, bashText } from "../shell/bash-text.js";
import { exitTrap } from "../shell/driver.js";

/*
 * The job's shell J: what it does before the command. As in a channel's driver it is one line, so that line numbers in
 * messages are those of the command, and `builtin` stands before builtins because exported functions may have any name.
 * J says that it is up on descriptor 3. Descriptor 199 is the liveness pipe: what holds it belongs to the job.
 */
export const bashJobText = bashLine`
  __tl_d=$TALARIA_JOB; builtin set +euvx;
  __tl_x=; builtin read -r -d "" __tl_x 2>/dev/null </proc/$$/stat; builtin set -- \${__tl_x##*) };
  __tl_x=\${20-}; builtin set --;
  [[ -n $__tl_x ]] || __tl_x=$(builtin command -p ps -o lstart= -p $$ | builtin command -p tr -d " ");
  __tl_y=\${EPOCHREALTIME:-}; [[ -n $__tl_y ]] || builtin printf -v __tl_y "%(%s)T" -1;
  builtin printf "%s %s %s\n" $$ "$__tl_x" "\${__tl_y/,/.}" >|"$__tl_d/pid";
  exec 199<>"$__tl_d/life"; builtin printf "up\n" >&3; exec 3>&-;
  __tl_c=$(<"$__tl_d/command"); __tl_x=$(<"$__tl_d/shell"); __tl_f=1;
  builtin printf -v __tl_y "%q" "$__tl_d/record"; __tl_t='${exitTrap("@mailbox", "0")}';
  builtin trap "\${__tl_t//@mailbox/$__tl_y}" EXIT;
  builtin eval "\${__tl_x%%$'\036'*}" 2>/dev/null;
  __tl_y=$BASHOPTS; builtin shopt -u expand_aliases; builtin shopt -s extglob;
  builtin eval "\${__tl_x#*$'\036'}" 2>/dev/null;
  [[ :$__tl_y: = *:extglob:* ]] || \builtin shopt -u extglob;
  [[ :$__tl_y: != *:expand_aliases:* ]] || \builtin shopt -s expand_aliases;
  \builtin unset -v __tl_d __tl_t __tl_x __tl_y; SECONDS=0;
  \builtin eval -- "\${__tl_c}"
`;

/** The same for `sh`, which remembers no functions. */
export const shJobText = bashText`
__tl_d=$TALARIA_JOB
__tl_x=
{ IFS= read -r __tl_x </proc/$$/stat; } 2>/dev/null
set -- \${__tl_x##*) }
printf '%s %s %s\n' "$$" "\${20-}" "$(date +%s)" >"$__tl_d/pid"
set --
echo up >&3
exec 3>&-
trap 'printf "0 %s\n" "$?" >"$TALARIA_JOB/record"' EXIT
__tl_c=$(cat "$__tl_d/command")
unset __tl_d __tl_x
eval "$__tl_c"
`;

/**
 * How S starts J in a session of its own, with or without a terminal; sourced by S in a subshell, which it replaces. A
 * terminal is made by what the sandbox has for it.
 */
export const startText = bashText`
if [ "$__tl_bash" = 1 ]; then
  set -- "$__tl_shell" --noprofile --norc -c 'builtin eval "$(<"\${TALARIA_JOB%/jobs/*}/'"$__tl_job_shell"'")"' bash
else
  __tl_x=$(cat "$__tl_folder/$__tl_job_shell")
  set -- "$__tl_shell" -c "$__tl_x" sh
fi
umask "$__tl_umask"
if [ -n "$__tl_had_path" ]; then PATH=$__tl_path; else unset PATH; fi
case $__tl_tty in
python3) exec "$__tl_tty_program" "$__tl_folder/$__tl_terminal_py" "$__tl_rows" "$__tl_columns" "$@" ;;
perl) exec "$__tl_tty_program" "$__tl_folder/$__tl_terminal_pl" "$__tl_rows" "$__tl_columns" "$@" ;;
esac
case $__tl_how in
setsid) exec "$__tl_how_program" "$@" ;;
perl) exec "$__tl_how_program" -e 'use POSIX (); POSIX::setsid(); exec {$ARGV[0]} @ARGV; exit 127' "$@" ;;
python3) exec "$__tl_how_program" -c 'import os, sys; os.setsid(); os.execv(sys.argv[1], sys.argv[1:])' "$@" ;;
*) exec "$@" ;;
esac
`;

import { bashText } from "../shell/bash-text.js";

/*
 * Pieces of the scripts that look after a journal. Plain POSIX `sh`, builtins where it can be, so that they run in the
 * warm bash as well as in busybox.
 */

/** Sets boot. A pid and a start time mean nothing after a reboot. */
export const readBootId = bashText`
boot=; { read -r boot </proc/sys/kernel/random/boot_id; } 2>/dev/null || boot=
`;

/**
 * `alive pid start boot`: whether that very process lives. The start time (field 22 of its stat) tells it from another
 * that was given its pid.
 */
export const aliveFunction = bashText`
alive() {
  [ -n "$1" ] && [ -n "$2" ] || return 1
  [ -z "$boot" ] || [ "$3" = "$boot" ] || return 1
  if [ -r /proc/self/stat ]; then
    stat=; { IFS= read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
    start=$2; set -- \${stat##*) }
    [ "\${20}" = "$start" ] && [ "$1" != Z ] && [ "$1" != X ]
  else
    kill -0 "$1" 2>/dev/null && [ "$(ps -o lstart= -p "$1" | tr -d ' ')" = "$2" ]
  fi
}
`;

/** `ended folder`: whether a job has written its exit, or nobody is there any more who could. */
export const endedFunction = bashText`
ended() {
  [ -e "$1/exit" ] && return 0
  [ -e "$1/run" ] || return 1
  line=; { read -r line <"$1/supervisor"; } 2>/dev/null
  [ -n "$line" ] || return 1
  alive $line && return 1
  # It may have written its exit and ended between the two looks: either way nothing more comes.
  return 0
}
`;

/** `size_of file`: sets size. One program, and it reads nothing of the file. */
export const sizeFunction = bashText`
size_of() { size=0; set -- $(ls -ln -- "$1" 2>/dev/null); [ -z "$5" ] || size=$5; }
`;

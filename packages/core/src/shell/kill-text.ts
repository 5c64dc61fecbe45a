import { bashText } from "./bash-text.js";

/**
 * Functions of bash that end a tree of processes and prove it, for channels and for jobs. They use builtins alone, so that
 * they still work where no further process can be started.
 *
 * Witnesses of a process that belongs to the tree: its process group or session `pgid`; the text `mark` (`NAME=value`)
 * in its environment; the liveness pipe on its descriptor 199. A process that hides from all of them has left.
 *
 * They want `have_proc`, `pgid`, `mark`, `grace` (milliseconds), and `id`, the first word of what they print. With `since`,
 * a start time as `/proc` has it, no environment is read of what is older. Descriptors 7, 8 and 9 are theirs.
 */
export const killFunctions = bashText`
# Sleeps for seconds without starting a process: nobody ever writes to this pipe, and its writing end stays open.
exec 8<> <(:)
pause() { read -r -t "$1" -u 8 ignored; }

marked() {
  local entry
  while IFS= read -r -d '' entry; do
    [[ $entry == "$mark" ]] && return 0
  done <"/proc/$1/environ"
  return 1
}

# Sets members, those of them outside of the group, and group_alive. With "full" the environments are read too.
scan() {
  members=() outside=() group_alive=
  if [[ -z $have_proc ]]; then
    kill -0 -- "-$pgid" && group_alive=1 members=("$pgid")
    return
  fi
  local folder pid stat
  for folder in /proc/[0-9]*; do
    pid=\${folder#/proc/}
    [[ $pid != "$$" ]] || continue
    stat=
    IFS= read -r -d '' stat <"$folder/stat"
    [[ -n $stat ]] || continue
    set -- \${stat##*) }
    case $1 in Z | X | x) continue ;; esac
    if [[ $3 == "$pgid" ]]; then
      group_alive=1
      members+=("$pid")
    elif [[ $4 == "$pgid" || ( -n $liveness && $folder/fd/199 -ef /proc/self/fd/7 ) ]]; then
      members+=("$pid") outside+=("$pid")
    elif [[ $full == full ]] && (( \${20} >= \${since:-0} )) && marked "$pid"; then
      members+=("$pid") outside+=("$pid")
    fi
  done
}

# Holds the reading end of the liveness pipe $1 on descriptor 7; where there is none it tells nothing.
open_liveness() {
  liveness=$1
  # For reading and writing first: opening one end alone waits for the other.
  [[ -z $liveness ]] || exec 9<>"$liveness" 7<"$liveness" 9>&-
}

# Whether nobody holds the writing end any more. Without the pipe it tells nothing.
pipe_ended() { [[ -z $liveness ]] || read -r -t 0 -u 7; }

# Sets at to milliseconds of a clock. A look at every process takes long on a busy machine: rounds would not do.
read_clock() {
  local up ignored
  if [[ -n $EPOCHREALTIME ]]; then
    at=\${EPOCHREALTIME/[.,]/}
    at=\${at%???}
  elif IFS=' ' read -r up ignored </proc/uptime; then
    at=\${up/./}0
  else
    at=$(( SECONDS * 1000 ))
  fi
}

# Waits up to so many milliseconds until nothing is left.
wait_gone() {
  local at deadline
  read_clock; deadline=$(( at + $1 ))
  while :; do
    scan
    if (( \${#members[@]} == 0 )) && pipe_ended; then return 0; fi
    read_clock
    (( at < deadline )) || return 1
    pause 0.01
  done
}

# To each once: a program may count its signals.
send() {
  kill "-$1" -- "-$pgid"
  (( \${#outside[@]} == 0 )) || kill "-$1" -- "\${outside[@]}"
}

end_members() {
  local full=full round
  scan
  send TERM
  send CONT
  full=
  if ! wait_gone "$grace"; then
    for round in 1 2 3; do
      full=full; scan
      send KILL
      full=
      wait_gone 300 && break
    done
  fi
  full=full
  for round in 1 2 3; do
    scan
    (( \${#members[@]} )) || break
    send KILL
    full=; wait_gone 300; full=full
  done
  proof=unverified
  [[ -n $group_alive ]] || proof=group
  if [[ $proof == group && -n $have_proc && -n $liveness ]] && (( \${#members[@]} == 0 )) && pipe_ended; then proof=all; fi
}

report() {
  local pid words word line
  for pid in "\${members[@]}"; do
    line= words=()
    while IFS= read -r -d '' word || [[ -n $word ]]; do words+=("$word"); done <"/proc/$pid/cmdline"
    line=\${words[*]}
    if [[ -z $line ]]; then read -r line <"/proc/$pid/comm"; line="[$line]"; fi
    printf '%s s %s %s\n' "$id" "$pid" "\${line//$'\n'/ }"
  done
}
`;

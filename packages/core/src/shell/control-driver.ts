import { bashText } from "./bash-text.js";

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

# Sleeps for seconds without starting a process: nobody ever writes to this pipe, and its writing end stays open.
exec 8<> <(:)
pause() { read -r -t "$1" -u 8 ignored; }

marked() {
  local entry
  while IFS= read -r -d '' entry; do
    [[ $entry == "TALARIA_CHANNEL=$mark" ]] && return 0
  done <"/proc/$1/environ"
  return 1
}

# Sets members and group_alive. With "full" the environments are read too.
scan() {
  members=() group_alive=
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
    elif [[ $4 == "$pgid" || ( -n $liveness && $folder/fd/199 -ef /proc/$$/fd/7 ) ]]; then
      members+=("$pid")
    elif [[ $full == full ]] && marked "$pid"; then
      members+=("$pid")
    fi
  done
}

# Holds the reading end of the channel's liveness pipe on descriptor 7, while its bash still shows where that is.
open_liveness() {
  liveness=
  if [[ -p /proc/$pgid/fd/198 ]]; then liveness=/proc/$pgid/fd/198; elif [[ -p $files.f ]]; then liveness=$files.f; fi
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

send() {
  kill "-$1" -- "-$pgid"
  (( \${#members[@]} == 0 )) || kill "-$1" -- "\${members[@]}"
}

end_channel() {
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
  members=() proof=all
  open_liveness
  case $op in
  kill) end_channel ;;
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

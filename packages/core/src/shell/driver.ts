import { bashLine } from "./bash-text.js";

/*
 * The text that turns a plain bash into a channel. It is one line, sent on the bash's own standard input, because the
 * line numbers in a user's error messages would otherwise start where this text ends.
 *
 * P is the bash that reads this. It never evaluates user text. It forks a subshell C *before* a command arrives, so
 * that the fork is not on the command's way. C reads one request, evaluates it, and its EXIT trap leaves the status and
 * the shell's state in a mailbox file. Only then does P read the nonce line, so that no command can show it, and it
 * answers in frames that begin with that nonce.
 *
 * Descriptors: 0 the channel's stdin; 195 and 196 its stdout and stderr; 194 /dev/null; 198 the reading end of the
 * liveness pipe (P only), 199 its writing end (C and all it starts); 193 the channel's stdin in C, whose own is 194.
 *
 * `exec` is the one builtin called without `builtin`: behind that word its redirections are undone. So no user function
 * of that name may stand before it: `prelude.ts` leaves those in j, for C to define after the last use of the word.
 *
 * P has a trap for PIPE that does nothing: when nobody reads its answer any more it still removes its files.
 *
 * Variables of P: d path of this channel's files, n number of the command, e exit trap, l restores the locale in C, q
 * newest pid as the command began, s last state sent, v name that opens the liveness pipe, w1 to w3 what to do about a
 * start directory that cannot be entered.
 */

/** Bytes of the fixed-width header that opens a request, newline included. */
export const requestHeaderBytes = 48;
/** A request is padded to this size, so that a short one takes a single read. What is longer follows. */
export const requestBlockBytes = 512;
/** Bytes of the fixed-width line with the nonce, newline included. */
export const nonceLineBytes = 40;
/** Most payload in a frame. Long states come in several. */
const framePayloadBytes = 3800;

/**
 * Prints the shell's state: lines and quoted words, then sections that begin with a record separator. Fails when that is
 * not the whole of it: a full disk, a builtin switched off. Ends with a mark, without which it did not arrive whole.
 */
export const dumpState = bashLine`
  \builtin printf "%s\n%s\n%q\n%q\n%q\n%q\n" "$__tl_o" "$__tl_b" "$PWD" "\${OLDPWD-}" "\${__tl_a-}" "\${__tl_g-}"
  && \builtin umask && \builtin printf "\036\n" && \builtin alias -p && \builtin printf "\036\n" && \builtin export -p
  && { [[ \${__tl_f-} != 1* ]] || { \builtin printf "\036\n" && \builtin declare -F
  && \builtin printf "\036\n" && \builtin declare -f; }; } && \builtin printf "\036.\n"
`;

/**
 * C's EXIT trap, in the two halves around the command's number. A user function named `builtin` would get in its way:
 * the assignment to POSIXLY_CORRECT puts special builtins before functions, so that `unset` can be trusted. Quoted words
 * are no aliases. `$?` is 257 there after some syntax errors. PWD is a variable like any other: `cd .` corrects it.
 */
const exitTrapHead = bashLine`
  { __tl_r=$(($? & 255)) __tl_o=$SHELLOPTS __tl_b=$BASHOPTS __tl_g=\${POSIXLY_CORRECT-} POSIXLY_CORRECT=;
  \set +eux; \unset -f builtin; \unset -v POSIXLY_CORRECT;
  \builtin trap - DEBUG ERR RETURN; \builtin trap "" XFSZ PIPE;
  [[ \${PWD-} = /* && $PWD -ef . ]] || \builtin cd .;
  { \builtin printf "%s %s %s\n"
`;
/** Half a state is no state: it would unset what it does not name. */
const exitTrapTail = bashLine`
  "$__tl_r" "\${__tl_f##* }" && ${dumpState}; } >|@mailbox || : >|@mailbox; } >/dev/null 2>&1
`;

/** A whole EXIT trap that leaves status and state in a mailbox file, for a shell that is no channel's. All plain words. */
export function exitTrap(mailbox: string, number: string): string {
  return `${exitTrapHead} ${number} ${exitTrapTail.replaceAll("@mailbox", mailbox)}`;
}

/** What both kinds of subshell do ahead of their request. */
const prepareSubshell = bashLine`
  builtin trap "$__tl_t" EXIT;
  builtin unset -v __tl_e __tl_g __tl_i __tl_k __tl_m __tl_q __tl_r __tl_s __tl_t __tl_u __tl_v __tl_y __tl_z
`;

/** Reads what did not fit into the block. `$6` is its length. */
const readRest = (descriptor: number): string =>
  bashLine`(( $6 == 0 )) || { IFS= builtin read -r -N "$6" -u ${descriptor} __tl_x; __tl_h+=$__tl_x; }`;

/** Runs a request. Parameters: merge, stdin, functions wanted, length of prelude, of script, of what follows the block. */
const runRequest = bashLine`
  __tl_p=\${__tl_h:${requestHeaderBytes}:$4}; __tl_c=\${__tl_h:${requestHeaderBytes}+$4:$5};
  [[ $1 = 1 ]] || exec 2>&196;
  builtin read -r __tl_f </proc/loadavg; __tl_f="$3 \${__tl_f##* }";
  builtin set --; SECONDS=0;
  builtin eval "$__tl_l$__tl_p";
  exec 193<&- 194<&- 196>&-;
  [[ -z \${__tl_j-} ]] || builtin eval "$__tl_j";
  builtin unset -v __tl_d __tl_h __tl_j __tl_l __tl_n __tl_p __tl_w1 __tl_w2 __tl_w3 __tl_x;
  builtin eval -- "$__tl_c"
`;

const subshellDescriptors = `1>&195 2>&195 195>&- 198<&- 199>"$__tl_v"`;

/** C, forked ahead of its command. A request with stdin goes back to P, which must have its nonce before the stdin. */
const waitingSubshell = bashLine`
  ( ${prepareSubshell};
  IFS= builtin read -r -N ${requestBlockBytes} -u 193 __tl_h || { builtin trap - EXIT; builtin exit 0; };
  builtin set -- \${__tl_h:0:${requestHeaderBytes}};
  [[ $2 = 0 ]] || { builtin trap - EXIT; builtin printf "%s" "h$__tl_n $__tl_h" >|"$__tl_d.s"; builtin exit 77; };
  ${readRest(193)};
  ${runRequest} ) 193<&0 0<&194 ${subshellDescriptors}
`;

/** Where no subshell could be started, what comes is its request: nothing of it may be taken for an order. */
const readNonceLine = bashLine`builtin read -r -N ${nonceLineBytes} __tl_z && [[ $__tl_z = $'\x02'* ]]`;

/** P's part of a request with stdin. The channel is used up by it. */
const runWithStdin = bashLine`
  builtin set -- \${__tl_h:0:${requestHeaderBytes}};
  ${readRest(0)}; ${readNonceLine} || break;
  ( ${prepareSubshell}; ${runRequest} ) ${subshellDescriptors}; __tl_r=$?;
  builtin set --
`;

/**
 * Sets y to the mailbox's first line. When the mailbox is this command's own, m is the rest, and q the newest pid as the
 * command began.
 */
const readMailbox = bashLine`
  __tl_x=; __tl_m=; IFS= builtin read -r -d "" __tl_x <"$__tl_d.s"; __tl_y=\${__tl_x%%$'\n'*};
  [[ $__tl_y != "$__tl_n $__tl_r "* ]] || { __tl_m=\${__tl_x#*$'\n'}; __tl_q=\${__tl_y##* }; }
`;

/** Sets k and leaves the loop when the process i still lives and belongs to this session or holds its output. */
const isLeftover = bashLine`
  [[ -e /proc/$__tl_i/stat ]] || continue;
  builtin read -r -d "" __tl_z </proc/$__tl_i/stat; __tl_z=\${__tl_z##*) };
  case $__tl_z in Z*|X*|"") continue;; esac;
  builtin set -- $__tl_z;
  if [[ $__tl_i != $$ ]] && [[ $4 = $$ || /proc/$__tl_i/fd/1 -ef /proc/$$/fd/195 || /proc/$__tl_i/fd/2 -ef /proc/$$/fd/196
    || /proc/$__tl_i/fd/2 -ef /proc/$$/fd/195 ]]; then __tl_k=1; break; fi
`;

/**
 * Sets k when something the command started still lives. The liveness pipe tells at once, but programs that close what
 * they inherit (Python's subprocess, Node) hide their children from it. Those have pids above the newest one as the
 * command began, and the kernel names the newest in /proc/loadavg: the few in between are asked. Where they are many, or
 * the numbers began anew, every process there is is asked instead.
 */
const findLeftovers = bashLine`
  __tl_k=0;
  builtin read -t 0 -u 198 || { builtin read -t 0.01 -u 198 __tl_x; (( $? <= 128 )) || __tl_k=1; };
  if (( __tl_k == 0 )) && builtin read -r __tl_x </proc/loadavg; then
    __tl_x=\${__tl_x##* };
    if (( __tl_x >= __tl_q && __tl_x - __tl_q < 500 )); then
      for (( __tl_i = __tl_q + 1; __tl_i <= __tl_x; __tl_i++ )); do ${isLeftover}; done;
    else
      for __tl_i in /proc/[0-9]*; do __tl_i=\${__tl_i#/proc/}; ${isLeftover}; done;
    fi; builtin set --;
  fi
`;

/** Sends m in frames: all but the last of kind `m`, the last of kind x with status, leftovers and length. */
const sendFrames = bashLine`
  while (( \${#__tl_m} > ${framePayloadBytes} )); do
    builtin printf "%s m 0 0 ${framePayloadBytes}\n%s" "$__tl_u" "\${__tl_m:0:${framePayloadBytes}}" >&195;
    __tl_m=\${__tl_m:${framePayloadBytes}};
  done;
  builtin printf "%s %s %s %s %s\n%s" "$__tl_u" "$__tl_x" "$__tl_r" "$__tl_k" "\${#__tl_m}" "$__tl_m" >&195
`;

/**
 * The answer. Kinds: `x` exited, with new state or none known; `u` exited, state unchanged; `s` signaled; `w` the start
 * directory could not be entered. A status above 128 is a signal when the record says another status, for a fatal signal
 * runs the EXIT trap too. Without a record the command may have had an EXIT trap of its own: then bash's own notice
 * about the dead child decides, which it prints for all signals but INT and PIPE. A channel whose files are gone
 * or full carries no more state: it says that something is left, and is given up.
 */
const answer = bashLine`
  __tl_x=x;
  if [[ -n $__tl_m ]]; then
    if [[ $__tl_m = "$__tl_s" ]]; then __tl_x=u; __tl_m=; else __tl_s=$__tl_m; fi;
  elif [[ $__tl_y = "$__tl_n w "* ]]; then __tl_x=w; __tl_m=\${__tl_y##* };
  elif (( __tl_r > 128 )); then
    if [[ $__tl_y = "$__tl_n "* || -s $__tl_d.e ]]; then __tl_x=s; : >|"$__tl_d.e"; fi;
    case $__tl_r in 130|141) __tl_x=s;; esac;
  fi;
  [[ -n $__tl_y ]] || __tl_k=1;
  builtin set -- $__tl_g;
  [[ $1 = 0 ]] || builtin printf "%s\n" "$__tl_u" >&196;
  ${sendFrames}
`;

/** Makes the channel's files in a private folder, on memory where there is some and where they hold the first state. */
const makeFiles = bashLine`
  __tl_o=$SHELLOPTS __tl_b=$BASHOPTS __tl_f=1 __tl_d=;
  for __tl_x in /dev/shm "\${TMPDIR:-/tmp}" /tmp; do
    __tl_x=$__tl_x/talaria-$UID;
    [[ -d $__tl_x ]] || ( builtin umask 077; command mkdir -- "$__tl_x" );
    [[ -d $__tl_x && ! -L $__tl_x && -O $__tl_x && -w $__tl_x ]] || continue;
    __tl_d=$__tl_x/$$.@channel;
    { builtin printf "%s\n%q\n%q\n" "$BASH_VERSION" "$__tl_d" ~ && ${dumpState}; } >|"$__tl_d.s" &&
      : >|"$__tl_d.e" && break;
    command rm -f -- "$__tl_d.s" "$__tl_d.e"; __tl_d=;
  done;
  builtin hash -r; builtin unset -v __tl_o __tl_b; [[ -n $__tl_d ]]
`;

/**
 * Opens the liveness pipe. A here-string is a pipe in bash 5.1 and newer, whose writing end /proc can open again: so no
 * program has to be started for it. Elsewhere it is a FIFO.
 */
const openLiveness = bashLine`
  exec 198<<<"";
  if [[ -p /proc/$$/fd/198 ]] && builtin read -r -u 198 __tl_x && { :; } 199>/proc/$$/fd/198; then __tl_v=/proc/$$/fd/198;
  else __tl_v=$__tl_d.f; command mkfifo -m 600 -- "$__tl_v" && exec 199<>"$__tl_v" 198<"$__tl_v" 199>&-; fi
`;

/**
 * Puts P into the C character set, so that `read -N` and lengths count bytes, and keeps the text that undoes it in C.
 * Only that one category changes: loading a whole locale again would cost every command a tenth of a millisecond.
 */
const saveLocale = bashLine`
  __tl_l=;
  for __tl_x in LC_CTYPE LANG LC_ALL; do
    if [[ -n \${!__tl_x+set} ]]; then builtin printf -v __tl_y "builtin export %s=%q;" "$__tl_x" "\${!__tl_x}";
    else __tl_y="builtin unset -v $__tl_x;"; fi;
    if [[ $__tl_x = LC_CTYPE || -n \${LC_ALL-} ]]; then __tl_l+=$__tl_y; fi;
  done;
  if [[ -n \${LC_ALL-} ]]; then LANG=$LC_ALL; builtin unset -v LC_ALL; fi;
  LC_CTYPE=C
`;

/** TMOUT would end the waiting for the next command as well. Only C gets it. */
const saveTimeout = bashLine`
  if [[ -n \${TMOUT-} ]]; then
    builtin printf -v __tl_y "builtin export TMOUT=%q;" "$TMOUT"; __tl_l+=$__tl_y; builtin unset -v TMOUT;
  fi
`;

/**
 * What a prelude does when it cannot enter the start directory, which is in x: give up (w1), go to its nearest ancestor
 * (w2), go home (w3). The last two report in a where the command runs instead.
 */
const wrongDirectory = bashLine`
  __tl_w1='__tl_y=missing; [[ ! -e $__tl_x ]] || __tl_y=not_a_directory; [[ ! -d $__tl_x ]] || __tl_y=not_permitted;
    builtin trap - EXIT; builtin printf "%s w %s\n" "$__tl_n" "$__tl_y" >|"$__tl_d.s"; builtin exit 0';
  __tl_w2='while :; do __tl_x=\${__tl_x%/*}; builtin cd -- "\${__tl_x:-/}" 2>&194 && break; [[ -n $__tl_x ]] || break;
    done; __tl_a=$PWD';
  __tl_w3='builtin cd -- ~ 2>&194 || builtin cd /; __tl_a=$PWD'
`;

const driver = bashLine`
  builtin set +euvx; builtin trap : PIPE;
  exec 195>&1 196>&2 1>/dev/null 2>/dev/null 194</dev/null;
  __tl_u=@hello __tl_r=0 __tl_k=$$ __tl_s= __tl_n=0 __tl_q=0 __tl_x=;
  if ${makeFiles}; then
    exec 2>>"$__tl_d.e"; ${openLiveness};
    ${saveLocale}; ${saveTimeout};
    IFS= builtin read -r -d "" __tl_m <"$__tl_d.s"; __tl_x=h; ${sendFrames};
  else
    __tl_m="no private folder could be made in /dev/shm, \${TMPDIR:-/tmp} or /tmp"; __tl_x=f; ${sendFrames}; exit 0;
  fi;
  builtin printf -v __tl_x "%q" "$__tl_d.s"; __tl_e='${exitTrapTail}'; __tl_e=\${__tl_e//@mailbox/$__tl_x};
  ${wrongDirectory};
  if builtin read -r __tl_q </proc/loadavg; then __tl_q=\${__tl_q##* }; fi;
  while :; do
    __tl_n=$((__tl_n + 1)); __tl_t='${exitTrapHead}'" $__tl_n $__tl_e";
    ${waitingSubshell}; __tl_r=$?; __tl_h=;
    if (( __tl_r == 77 )); then
      IFS= builtin read -r -d "" __tl_h <"$__tl_d.s"; case $__tl_h in "h$__tl_n "*) __tl_h=\${__tl_h#* };; *) __tl_h=;; esac;
    fi;
    if [[ -n $__tl_h ]]; then ${runWithStdin}; else ${readNonceLine} || break; fi;
    __tl_u=\${__tl_z%% *} __tl_g=\${__tl_z#* }; ${readMailbox}; ${findLeftovers};
    ${answer};
    [[ -z $__tl_h ]] || break;
    (( __tl_k == 0 )) || break;
    (( $2 == 0 )) || { IFS= builtin read -r -N "$2" __tl_x; builtin eval "$__tl_x"; };
    builtin set --;
  done;
  exec rm -f -- "$__tl_d.f" "$__tl_d.s" "$__tl_d.e"
`;

/** The driver of one channel. `channel` names its files; `helloNonce` opens its first frame. Both are plain words. */
export function driverText(channel: string, helloNonce: string): string {
  return driver.replace("@channel", channel).replace("@hello", helloNonce);
}

/**
 * The command that starts a channel: it reads the driver from its standard input. Short and free of special characters,
 * so that it survives any login shell on its way.
 */
export function channelArgv(driverBytes: number): readonly string[] {
  return [
    "bash",
    "--noprofile",
    "--norc",
    "-c",
    `IFS= builtin read -r -N ${driverBytes} __tl_x; builtin eval "$__tl_x"`,
    "bash",
  ];
}

import { bashText } from "../shell/bash-text.js";
import { dumpState } from "../shell/driver.js";
import { shellQuote } from "../shell/quote.js";
import { scriptName, type JournalPlace } from "./journal-place.js";

/**
 * Starts the supervisor, in the session's own shell, so that the job gets its variables, directory and umask by
 * inheritance, and functions, aliases and options by a file. Absolute names and builtins only: whatever the session's
 * PATH and functions are. With job control (`set -m`) INT and QUIT are not ignored in what is started. Waits until the
 * job's shell is up.
 *
 * Variables that would act on the supervisor's shell or on the start of the job's are taken out and set again by the job.
 */
const bashLaunch = bashText`
(
  \builtin unset -f exec
  \builtin unset -v TALARIA_CHANNEL TALARIA_JOB
  \builtin export -n SHELLOPTS BASHOPTS
  \builtin printf '%s' "$PWD" >|"$__tl_d/cwd"
  {
    __tl_o= __tl_n=
    for __tl_n in BASH_ENV ENV POSIXLY_CORRECT TMOUT SHLVL GLOBIGNORE CDPATH; do
      [[ -z \${!__tl_n+set} ]] || { \builtin printf '\\builtin export %s=%q\n' "$__tl_n" "\${!__tl_n}"; \builtin unset -v "$__tl_n"; }
    done
    \builtin printf 'OLDPWD=%q\n' "\${OLDPWD-}"
    \builtin shopt -p; \builtin set +o; \builtin alias -p
    \builtin printf '\036\n'; \builtin declare -f
  } >|"$__tl_d/shell"
  \builtin set -m
  $__tl_command </dev/null >"$__tl_d/up" 2>/dev/null 199>&- &
)
__tl_k=; IFS= \builtin read -r -t 20 __tl_k <"$__tl_d/up"; \builtin printf '%s\n' "@start \${__tl_k:-failed}"
`;

const shLaunch = bashText`
printf '%s' "$PWD" >"$__tl_d/cwd"
unset TALARIA_CHANNEL TALARIA_JOB
( $__tl_command </dev/null >"$__tl_d/up" 2>/dev/null & )
IFS= read -r __tl_k <"$__tl_d/up"; printf '%s\n' "@start \${__tl_k:-failed}"
`;

/** Prints the state that the job begins with, for comparing it with the one that it ends with. */
const dumpText = bashText`
__tl_o=$SHELLOPTS __tl_b=$BASHOPTS __tl_f=1
\builtin printf '@state\n'
${dumpState}
`;

const newSession: Readonly<Record<string, readonly string[]>> = {
  perl: [
    "-e",
    "use POSIX (); fork and exit; POSIX::setsid(); $SIG{INT} = $SIG{QUIT} = q(DEFAULT); exec {$ARGV[0]} @ARGV",
  ],
  python3: [
    "-c",
    "import os,signal,sys;os.fork() and os._exit(0);os.setsid();signal.signal(2,signal.SIG_DFL);signal.signal(3,signal.SIG_DFL);os.execv(sys.argv[1],sys.argv[1:])",
  ],
};

/** The text that launches one job. Its output has a line `@start up` when it runs. */
export function launchText(place: JournalPlace, folder: string, withState: boolean): string {
  const words = place.how === "none" ? [] : [place.howProgram, ...(newSession[place.how] ?? [])];
  words.push(place.shell, ...(place.isBash ? ["--noprofile", "--norc"] : []));
  words.push(`${place.folder}/${scriptName("supervise")}`, folder);
  const command = words.map(shellQuote).join(" ");
  const text = (place.isBash ? bashLaunch : shLaunch).replace("$__tl_command", () => command);
  return `__tl_d=${shellQuote(folder)}\n${text}${withState && place.isBash ? dumpText : ""}`;
}

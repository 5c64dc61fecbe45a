import { createHash } from "node:crypto";
import type { SandboxAccess } from "../environment/sandbox-access.js";
import { UnsupportedCapabilityError } from "../errors/errors.js";
import { bashText } from "../shell/bash-text.js";
import { shellQuote } from "../shell/quote.js";
import { bashJobText, shJobText, startText } from "./job-shell-text.js";
import { supervisorText } from "./supervisor-text.js";
import { perlTerminal, pythonTerminal } from "./terminal-text.js";

/** Where a session's journal is in the sandbox, and what the sandbox has to run jobs with. */
export interface JournalPlace {
  /** The session's folder; `jobs` is below it. */
  readonly folder: string;
  /** The shell that runs scripts here, and whether it is bash. */
  readonly shell: string;
  readonly isBash: boolean;
  /** What starts a new session: `setsid`, `perl`, `python3` or `none`, with its path. */
  readonly how: string;
  readonly howProgram: string;
  /** What can make a terminal: `python3`, `perl` or empty. */
  readonly terminal: string;
  readonly terminalProgram: string;
  /** PATH of Talaria's own shell. */
  readonly tools: string;
}

/**
 * Finds or makes the folder, looks for the tools, and leaves the scripts there that a job runs from. The folder is the
 * environment's private one, except where that is in memory: a log may be larger than the memory there is.
 */
const openText = bashText`
uid=\${UID:-$(id -u)} root=
umask 077
for root in "$given" "/tmp/talaria-$uid" "\${TMPDIR:-/tmp}/talaria-$uid" "$memory"; do
  [ -n "$root" ] || continue
  [ -d "$root" ] || mkdir -- "$root" 2>/dev/null
  if [ -d "$root" ] && [ ! -L "$root" ] && [ -O "$root" ] && [ -w "$root" ]; then break; fi
  root=
done
[ -n "$root" ] || { echo none; exit 0; }
folder=$root/$session
mkdir -p -- "$folder/jobs" "$folder/watchers" 2>/dev/null
bash=0 shell=
if [ -n "\${BASH_VERSION-}" ]; then bash=1 shell=$(command -v bash); [ -n "$shell" ] || shell=$BASH; else shell=$(command -v sh); fi
how=none program= terminal= terminal_program=
for x in setsid perl python3; do
  program=$(command -v $x 2>/dev/null)
  # A shell that has it built in, as busybox, answers with the bare name.
  case $program in /* | setsid) [ $x != python3 ] || "$program" -c 'import os' 2>/dev/null || continue; how=$x; break ;; esac
done
[ $how != none ] || program=
for x in python3 perl; do
  terminal_program=$(command -v $x 2>/dev/null)
  case $terminal_program in
  /*) case $x in
    python3) "$terminal_program" -c 'import pty, termios, resource' 2>/dev/null && terminal=$x ;;
    perl) [ -e /dev/ptmx ] && [ -d /dev/pts ] && "$terminal_program" -e 'use POSIX ()' 2>/dev/null && terminal=$x ;;
    esac ;;
  esac
  [ -z "$terminal" ] || break
done
[ -n "$terminal" ] || terminal_program=
put() { [ -e "$folder/$1" ] || { printf '%s' "$2" >|"$folder/$1.new.$$" && mv -f "$folder/$1.new.$$" "$folder/$1"; }; }
`;

const finishText = bashText`
printf '%s\n' ok "$folder" "$bash" "$shell" "$how" "$program" "$terminal" "$terminal_program" "$PATH"
`;

/** The names of the scripts carry what they say: two versions of Talaria can use one journal. */
const version = createHash("sha256")
  .update(supervisorText + bashJobText + shJobText + startText + pythonTerminal + perlTerminal)
  .digest("hex")
  .slice(0, 12);

/** Opens the journal of a session. Throws UnsupportedCapabilityError where no private folder can be had. */
export async function openJournal(access: SandboxAccess, signal?: AbortSignal): Promise<JournalPlace> {
  const given = (await access.environment.tempDir?.()) ?? "";
  const isMemory = /^\/dev\/shm(?:\/|$)/.test(given);
  const put = (name: string, text: string): string => `put ${name} ${shellQuote(text)}\n`;
  const script =
    `given=${shellQuote(isMemory ? "" : given)} memory=${shellQuote(isMemory ? given : "")} ` +
    `session=${shellQuote(access.sessionName.replace(/^\./, "_"))}\n` +
    openText +
    put(`supervise-${version}`, supervisorText) +
    `if [ $bash = 1 ]; then ${put(`job-shell-${version}`, bashJobText).trimEnd()}; else ` +
    `${put(`job-shell-${version}`, shJobText).trimEnd()}; fi\n` +
    put(`start-${version}`, startText) +
    put(`terminal-${version}.py`, pythonTerminal) +
    put(`terminal-${version}.pl`, perlTerminal) +
    finishText;
  const { output } = await access.run(script, { separate: false, workdir: "/", signal });
  const [
    word,
    folder = "",
    bash,
    shell = "",
    how = "",
    howProgram = "",
    terminal = "",
    terminalProgram = "",
    tools = "",
  ] = output.split("\n").slice(output.split("\n").findIndex((line) => line === "ok" || line === "none"));
  if (word !== "ok" || folder === "" || shell === "") {
    throw new UnsupportedCapabilityError(
      "jobs",
      `"${access.backend}" has no private folder for a journal of jobs: neither /tmp nor $TMPDIR can be written to.`,
      {
        backend: access.backend,
        operation: "jobs",
        hint: "Make /tmp writable in the sandbox, or set TMPDIR there.",
      },
    );
  }
  return { folder, shell, isBash: bash === "1", how, howProgram, terminal, terminalProgram, tools };
}

/** The name of a script of the journal's folder. */
export function scriptName(name: string): string {
  return name.replace(/^[a-z-]+/, (stem) => `${stem}-${version}`);
}

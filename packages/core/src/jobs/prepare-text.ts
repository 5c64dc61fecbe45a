import type { TerminalSize } from "../environment/sandbox-process.js";
import { bashText } from "../shell/bash-text.js";
import { shellQuote } from "../shell/quote.js";
import { specLine, type JobSpec } from "./job-spec.js";
import { scriptName, type JournalPlace } from "./journal-place.js";

/** What a job's folder is made of. */
export interface JobFolderParts {
  readonly spec: JobSpec;
  readonly command: string;
  /** Where a shell's last state goes when somebody wants to take it over: not into a folder that may be on a disk. */
  readonly adopt: string | undefined;
  readonly tty: TerminalSize | undefined;
  /** Tells this attempt from others at the same id. */
  readonly attempt: string;
}

/**
 * A job's folder appears whole, by one rename: of several who try, one makes it. Where it is there already, `mv` moves
 * into it, which is undone.
 */
const makeFolder = bashText`
cd / || exit 1
umask 077
[ -d "$folder/jobs" ] || { echo gone; exit 0; }
job=$folder/jobs/$id new=$folder/jobs/.new-$id-$attempt
answer=existing
if [ ! -d "$job" ]; then
  if mkdir -- "$new" && mkfifo "$new/out" "$new/copied" "$new/life" "$new/up" "$new/in" "$new/hold" && : >"$new/log" &&
    printf '%s\n' "$spec" >"$new/spec" && printf '%s\n' "$settings" >"$new/settings" &&
    printf '%s' "$command" >"$new/command" &&
    : >"$new/pid" && : >"$new/cwd" && : >"$new/shell" &&
    { [ -z "$adopt" ] || { : >"$new/adopt" && ln -s "$adopt" "$new/record"; }; } && : >"$new/record"
  then
    mv -- "$new" "$job" 2>/dev/null
    if [ -d "$new" ]; then rm -rf -- "$new"
    elif [ -d "$job/\${new##*/}" ]; then rm -rf -- "$job/\${new##*/}"
    else answer=made; fi
  else
    rm -rf -- "$new"
    echo failed; exit 0
  fi
fi
line=; { IFS= read -r line <"$job/spec"; } 2>/dev/null
run=0; [ ! -e "$job/run" ] || run=1
printf '%s %s\n%s\n' "$answer" "$run" "$line"
`;

/** Removes what finished a day ago, of all sessions, and what a start that died left half-made. */
export const expireText = bashText`
find "\${folder%/*}" -mindepth 4 -maxdepth 4 -path '*/jobs/*/exit' -mmin +1440 2>/dev/null |
while IFS= read -r file; do rm -rf -- "\${file%/exit}"; done
find "$folder/jobs" -mindepth 1 -maxdepth 1 -name '.new-*' -mmin +60 -exec rm -rf -- {} + 2>/dev/null
`;

/** The text that makes a job's folder. Answers `made|existing <running>` and the spec that counts, `gone` or `failed`. */
export function prepareText(place: JournalPlace, parts: JobFolderParts): string {
  const { spec, command, adopt, tty, attempt } = parts;
  const settings = Object.entries({
    tools: place.tools,
    folder: place.folder,
    shell: place.shell,
    bash: place.isBash ? "1" : "0",
    how: place.how,
    how_program: place.howProgram,
    tty: tty === undefined ? "" : place.terminal,
    tty_program: tty === undefined ? "" : place.terminalProgram,
    rows: String(tty?.rows ?? 0),
    columns: String(tty?.columns ?? 0),
    stdin: spec.stdin,
    start_file: scriptName("start"),
    job_shell: scriptName("job-shell"),
    terminal_py: scriptName("terminal.py"),
    terminal_pl: scriptName("terminal.pl"),
  })
    .map(([name, value]) => `__tl_${name}=${shellQuote(value)}`)
    .join("\n");
  const values = Object.entries({
    folder: place.folder,
    id: spec.id,
    attempt,
    adopt: adopt ?? "",
    spec: specLine(spec),
    settings,
    command,
  })
    .map(([name, value]) => `${name}=${shellQuote(value)}\n`)
    .join("");
  return values + makeFolder;
}

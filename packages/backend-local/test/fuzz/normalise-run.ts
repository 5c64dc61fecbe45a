import type { ScriptRun } from "./script-run.js";

/** `bash: line 1:`, `bash: eval: line 1:` and `bash: -c: line 1:` are one and the same message (DESIGN), wherever on a line. */
const messagePrefix = /(bash: )(?:eval: |-c: )?(line \d+:)/g;
/** `line 1: 4711 Killed   sleep 5`: the pid, padded, in the notice of a child that died; the rest of its pipeline below. */
const childPid = /((?:bash|environment): line \d+:|^) +\d+ (?=[A-Z])/gm;
/** Where the scripts print pids: `echo pid=$$`, and a `kill -TERM $BASHPID` that became part of a text. */
const ownPid = /(pid=|kill -\w+ )\d+/g;

/** Takes out what legitimately differs between any two shells: the message prefix and process ids. */
export function normaliseRun({ stdout, stderr, end }: ScriptRun): ScriptRun {
  return { stdout: normaliseText(stdout), stderr: normaliseText(stderr), end };
}

function normaliseText(text: string): string {
  return text.replace(messagePrefix, "$1$2").replace(childPid, "$1 pid ").replace(ownPid, "$1pid");
}

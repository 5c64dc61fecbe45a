import type { ScriptRun } from "./script-run.js";

/** A script that was run both ways, normalised. */
export interface ScriptPair {
  readonly script: string;
  readonly plain: ScriptRun;
  readonly warm: ScriptRun;
}

/** A known difference from `bash -c`. It speaks for a pair only if it explains all of it. */
export interface KnownDifference {
  readonly name: string;
  readonly explains: (pair: ScriptPair) => boolean;
}

/** Lines in which a trace or a list of traps shows the driver, wherever on a line they begin. */
const driverLine = /(?:\++ __tl_\w=.*|(?:trap -- ')?\{ __tl_r=.*)\n/g;

const withoutDriver = (text: string): string => text.replace(driverLine, "");
/** The driver's two levels of `eval` make a trace's first character stand three times, wherever on a line. */
const withoutDepth = (text: string): string => text.replace(/\++ /g, "+ ");

const sameText = (a: ScriptRun, b: ScriptRun): boolean => a.stdout === b.stdout && a.stderr === b.stderr;
const mapped = (run: ScriptRun, change: (text: string) => string): ScriptRun => ({
  stdout: change(run.stdout),
  stderr: change(run.stderr),
  end: run.end,
});

/** Whether one run exited with the number that the other one's signal stands for. */
const sameNumber = (exited: string, signaled: string): boolean =>
  `${exited} ${signaled}` === "exited 130 signaled SIGINT" ||
  `${exited} ${signaled}` === "exited 141 signaled SIGPIPE";

/** What bash says when it gives up for good. */
const fatalError =
  /unbound variable|fuzz-gone|parameter null or not set|parameter not set|syntax error|unexpected token/;
/** The generated EXIT traps print the status too. */
const withoutStatus = (text: string): string => text.replaceAll(/on-exit \d+/g, "on-exit");
/** What bash says when a script ends in the middle of a construct. */
const unfinished = /unexpected (?:EOF|end of file|token `newline')/;

/** What bash says, as its last word, when it gives up a line: in a subshell, and the driver's is one, also the rest. */
const abandonedLine =
  /(?:division by 0 .*|value too great for base .*|: readonly variable|: bad substitution|no match: .*|syntax error.*\(error token is .*\)|command substitution: line \d+: `.*')\n$/;

export const knownDifferences: readonly KnownDifference[] = [
  {
    name: "a trace shows the driver",
    explains: ({ script, plain, warm }) => {
      const change = (text: string): string => withoutDepth(withoutDriver(text));
      return (
        /set -\w*x|xtrace/.test(script) &&
        plain.end === warm.end &&
        sameText(mapped(plain, change), mapped(warm, change))
      );
    },
  },
  {
    name: "`set -v` and a bare `trap` show the driver",
    explains: ({ script, plain, warm }) =>
      /set -\w*v|verbose|trap/.test(script) &&
      plain.end === warm.end &&
      sameText(plain, mapped(warm, withoutDriver)),
  },
  {
    name: "a fatal shell error gives 1, not 127",
    explains: ({ plain, warm }) =>
      plain.end === "exited 127" &&
      warm.end === "exited 1" &&
      fatalError.test(plain.stderr) &&
      sameText(mapped(plain, withoutStatus), mapped(warm, withoutStatus)),
  },
  {
    name: "an unfinished construct gives 2, not the status of the command before it",
    explains: ({ plain, warm }) =>
      warm.end === "exited 2" &&
      unfinished.test(plain.stderr) &&
      sameText(mapped(plain, withoutStatus), mapped(warm, withoutStatus)),
  },
  {
    name: "a failed expansion ends the script where plain bash goes on with the next line",
    explains: ({ plain, warm }) =>
      warm.end === "exited 1" &&
      abandonedLine.test(warm.stderr) &&
      plain.stdout.startsWith(warm.stdout) &&
      plain.stderr.startsWith(warm.stderr),
  },
  {
    name: "after a script has set the EXIT trap, status 130 or 141 reads as the signal",
    explains: ({ script, plain, warm }) =>
      /trap .*EXIT/.test(script) && sameText(plain, warm) && sameNumber(plain.end, warm.end),
  },
  {
    name: "a substitution that ended by a signal, and the shell with it, reads as its status",
    explains: ({ script, plain, warm }) =>
      /\$\(/.test(script) && sameText(plain, warm) && sameNumber(warm.end, plain.end),
  },
  {
    name: "after `set -n`, which skips the driver's last words too, the status is another",
    explains: ({ script, plain, warm }) =>
      /set -n\b/.test(script) &&
      sameText(plain, warm) &&
      [plain.end, warm.end].every((end) => end.startsWith("exited")),
  },
  {
    name: "QUIT ends the command's shell, which a plain bash ignores",
    explains: ({ plain, warm }) =>
      warm.end === "signaled SIGQUIT" &&
      plain.stdout.startsWith(warm.stdout) &&
      plain.stderr.startsWith(warm.stderr),
  },
  {
    name: "a signal for `$$` does not reach the script's own traps",
    explains: ({ script, plain, warm }) =>
      /kill -\w+ \$\$(?! *')/.test(script) &&
      plain.stderr === warm.stderr &&
      plain.stdout.replaceAll("usr2\n", "") === warm.stdout,
  },
];

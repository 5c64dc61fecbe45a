import { constants } from "node:os";

/** Numbers as on Linux; the names of a sandbox's signals do not depend on the host's. */
const linuxNames =
  "HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS".split(
    " ",
  );

/** `9` → `SIGKILL`; numbers without a name become `SIG34` and so on. */
export function signalName(number: number): string {
  return `SIG${linuxNames[number - 1] ?? number}`;
}

/** `SIGKILL` → 9, or undefined for a name that is none. */
export function signalNumber(name: string): number | undefined {
  const at = linuxNames.indexOf(name.replace(/^SIG/, ""));
  return at >= 0 ? at + 1 : constants.signals[name as NodeJS.Signals];
}

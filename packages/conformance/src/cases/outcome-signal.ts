import { casesOf } from "../case.js";

/** Signals that have the same number everywhere. */
const signals: readonly (readonly [string, number])[] = [
  ["SIGHUP", 1],
  ["SIGABRT", 6],
  ["SIGKILL", 9],
  ["SIGSEGV", 11],
  ["SIGPIPE", 13],
  ["SIGALRM", 14],
  ["SIGTERM", 15],
];

/** Sends a signal to the command's own shell, whatever kind of shell it is: `$$` may be an ancestor of it. */
function signalOwnShell(name: string): string {
  return `sh -c 'kill -${name} $PPID'`;
}

export const outcomeSignalCases = casesOf("outcome", {
  "shell-signaled": {
    title: "a command whose shell dies by a signal is signaled, with the signal's name and 128 + n",
    rule: "SPEC 3.2",
    async run({ check, session, nextCommandWorks }) {
      for (const [signal, signalNumber] of signals) {
        const result = await session.execute(
          `echo before; ulimit -c 0; ${signalOwnShell(signal.slice(3))}; echo after`,
        );
        check.equal(result.outcome, { kind: "signaled", signal, signalNumber }, `outcome of ${signal}`);
        check.equal(result.exitCode, 128 + signalNumber, `exitCode of ${signal}`);
        check.equal(result.output, "before\n", `output before ${signal}`);
        await nextCommandWorks();
      }
    },
  },
  "signal-is-no-timeout": {
    title: "a quick death by a signal is not reported as a timeout",
    rule: "field 7.6, Inspect",
    async run({ check, session }) {
      const result = await session.execute(`${signalOwnShell("KILL")}; sleep 5`, { timeoutMs: 20_000 });
      check.equal(result.outcome.kind, "signaled", "kind of the outcome");
    },
  },
  "signal-handled": {
    title: "a command that handles a signal and exits is exited",
    rule: "SPEC 3.2",
    async run({ check, session }) {
      const result = await session.execute(
        `trap 'echo handled; exit 7' TERM; ${signalOwnShell("TERM")}; sleep 1; echo no`,
      );
      check.exited(result, 7);
      check.equal(result.output, "handled\n", "output");
    },
  },
  "kill-self": {
    title:
      "kill $$ and kill -9 $$ end the command as signaled or lost, never as exited, and the next command works",
    rule: "DESIGN, the warm shell",
    async run({ check, session, nextCommandWorks }) {
      for (const script of ["kill -9 $$; sleep 5", "kill $$; sleep 5", "kill -HUP $$; sleep 5"]) {
        const result = await session.execute(script);
        check.oneOf(result.outcome.kind, ["signaled", "lost"], `kind of the outcome of ${script}`);
        await nextCommandWorks();
      }
    },
  },
  "kill-group": {
    title: "a command that signals its whole process group hurts itself only",
    rule: "DESIGN, the warm shell",
    async run({ check, session, observer, nextCommandWorks }) {
      const result = await session.execute("kill -TERM 0; sleep 5");
      check.oneOf(result.outcome.kind, ["signaled", "lost"], "kind of the outcome");
      await nextCommandWorks();
      await nextCommandWorks(observer);
    },
  },
  "kill-parent": {
    title: "a program that kills its parents gets no false success, and the next command works",
    rule: "DESIGN, decision 1",
    async run({ check, session, nextCommandWorks }) {
      const result = await session.execute("sh -c 'sh -c \"kill -9 \\$PPID; kill -9 $PPID\"'; sleep 5");
      check.oneOf(result.outcome.kind, ["signaled", "lost"], "kind of the outcome");
      await nextCommandWorks();
    },
  },
});

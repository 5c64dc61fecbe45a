import { casesOf, type CaseDefinition } from "../case.js";
import { exportedValue } from "../exported-value.js";

/** One thing that a command changes for itself only, and how the next one shows that it is gone. */
interface Dropped {
  readonly title: string;
  readonly change: string;
  readonly look: string;
  readonly shown: string;
}

/** SPEC 3.11, what does not persist. */
const dropped: Readonly<Record<string, Dropped>> = {
  unexported: {
    title: "a variable that is not exported",
    change: "plain=1",
    look: 'echo "[$plain]"',
    shown: "[]\n",
  },
  array: { title: "an array", change: "list=(a b c)", look: 'echo "${#list[@]}"', shown: "0\n" },
  positional: {
    title: "positional parameters",
    change: "set -- a b c",
    look: 'echo "$#[$*]"',
    shown: "0[]\n",
  },
  "trap-exit": {
    title: "a trap on EXIT",
    change: "trap 'echo trapped' EXIT",
    look: "echo quiet",
    shown: "quiet\n",
  },
  "trap-debug": {
    title: "a trap on DEBUG",
    change: "trap 'x=1' DEBUG; trap 'echo noise >&2' ERR",
    look: "false; echo quiet",
    shown: "quiet\n",
  },
  "trap-signal": { title: "an ignored signal", change: "trap '' TERM", look: "trap -p TERM", shown: "" },
  readonly: {
    title: "readonly",
    change: "export FIXED=1; readonly FIXED",
    look: `FIXED=2; ${exportedValue("FIXED")}`,
    shown: "2\n",
  },
  descriptor: {
    title: "an open descriptor",
    change: "exec 7</dev/null",
    look: "{ : <&7; } 2>/dev/null || echo closed",
    shown: "closed\n",
  },
  redirected: {
    title: "a redirection of the shell's own streams",
    change: "exec >/dev/null 2>&1",
    look: "echo heard; echo too >&2",
    shown: "heard\ntoo\n",
  },
  ulimit: {
    title: "a ulimit",
    change: "ulimit -n 50",
    look: '[ "$(ulimit -n)" = 50 ] || echo as before',
    shown: "as before\n",
  },
  "background-id": {
    title: "the id of the last background process",
    change: "sleep 0 & wait",
    look: 'echo "[$!]"',
    shown: "[]\n",
  },
  errexit: { title: "set -e", change: "set -e", look: "false; echo goes on", shown: "goes on\n" },
  nounset: { title: "set -u", change: "set -u", look: 'echo "[$no_such_variable]"', shown: "[]\n" },
  xtrace: { title: "set -x", change: "set -x; :", look: "echo plain", shown: "plain\n" },
  verbose: { title: "set -v", change: "set -v", look: "echo plain", shown: "plain\n" },
  monitor: {
    title: "set -m",
    change: "set -m",
    look: "case $- in *m*) echo on;; *) echo off;; esac",
    shown: "off\n",
  },
  posix: {
    title: "set -o posix",
    change: "set -o posix",
    look: "shopt -qo posix && echo on || echo off",
    shown: "off\n",
  },
  noexec: { title: "set -n", change: "set -n", look: "echo runs", shown: "runs\n" },
  subshell: {
    title: "a cd and an export in a subshell",
    change: "(cd /tmp; export INNER=1)",
    look: 'echo "[$INNER]$PWD"',
    shown: "[]/\n",
  },
  "disabled-builtin": {
    title: "a disabled builtin",
    change: "enable -n printf",
    look: "type -t printf",
    shown: "builtin\n",
  },
};

const droppedCases = Object.entries(dropped).map(
  ([name, { title, change, look, shown }]): [string, CaseDefinition] => [
    `dropped-${name}`,
    {
      title: `${title} is gone in the next command`,
      rule: "SPEC 3.11",
      needs: ["state"],
      async run({ check, session, nextCommandWorks }) {
        check.exited(await session.execute("cd /"), 0, "going to the root");
        check.equal((await session.execute(change)).outcome.kind, "exited", "kind of the change's outcome");
        check.printed(await session.execute(look), shown, "the next command");
        await nextCommandWorks();
      },
    },
  ],
);

export const stateDroppedCases = casesOf("state", {
  ...Object.fromEntries(droppedCases),
  "call-env": {
    title: "a variable given to one call is seen by its programs and gone in the next",
    rule: "SPEC 3.7",
    async run({ check, session }) {
      const look = 'echo "[${ONCE-unset}]"; sh -c \'echo "[${ONCE-unset}]"\'';
      check.printed(await session.execute(look, { env: { ONCE: "a" } }), "[a]\n[a]\n", "the call");
      check.printed(await session.execute(look), "[unset]\n[unset]\n", "the next call");
    },
  },
  "call-env-hides": {
    title: "a variable given to one call hides the session's, which is back in the next",
    rule: "SPEC 3.7",
    needs: ["state"],
    async run({ check, session }) {
      check.exited(await session.execute("export HIDDEN=session"), 0);
      check.printed(
        await session.execute("echo $HIDDEN; export OTHER=1", { env: { HIDDEN: "call" } }),
        "call\n",
      );
      check.printed(await session.execute("echo $HIDDEN $OTHER"), "session 1\n", "the next call");
    },
  },
  "session-env": {
    title: "variables given to a session are seen by all of its commands",
    rule: "SPEC 3.7",
    async run({ check, openSession }) {
      const session = await openSession({ env: { FROM_START: "a 'b'\nc" } });
      check.printed(await session.execute('printf "%s" "$FROM_START"'), "a 'b'\nc", "the first command");
      check.printed(await session.execute(exportedValue("FROM_START")), "a 'b'\nc\n", "the second command");
    },
  },
});

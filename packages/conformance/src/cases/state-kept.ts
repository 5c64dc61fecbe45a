import { casesOf, type CaseDefinition } from "../case.js";
import { exportedValue } from "../exported-value.js";

/** One thing that a command changes, and how the next one shows that it stayed. */
interface Carried {
  readonly title: string;
  readonly change: string;
  readonly look: string;
  readonly shown: string;
}

/** SPEC 3.11, first sentence. */
const kept: Readonly<Record<string, Carried>> = {
  exported: {
    title: "an exported variable",
    change: "export COLOUR='deep blue'",
    look: 'echo "$COLOUR"; sh -c \'echo "$COLOUR"\'',
    shown: "deep blue\ndeep blue\n",
  },
  "exported-hard": {
    title: "an exported value with newlines, quotes and bytes that are no text",
    change: "export HARD=\"$(printf 'a\\nb\\t'\\''\"$`\\\\\\377x')\"\nexport TAIL='ends\n'",
    look: 'printf "%s|%s|" "$HARD" "$TAIL" | od -An -tx1 | tr -d " \\n"',
    shown: "610a620927222460" + "5cff787c656e64730a7c",
  },
  "exported-empty": {
    title: "an exported empty variable",
    change: "export EMPTY=",
    look: `echo "\${EMPTY+set}[$EMPTY]"; ${exportedValue("EMPTY")}`,
    shown: "set[]\n\n",
  },
  changed: {
    title: "a changed value of an exported variable",
    change: "export CHANGED=1; CHANGED=2",
    look: exportedValue("CHANGED"),
    shown: "2\n",
  },
  function: {
    title: "a function",
    change: 'greet() { echo "hello $1"; return 3; }',
    look: "greet you; echo $?",
    shown: "hello you\n3\n",
  },
  "function-hard": {
    title: "a function with a here-document, quotes and a case in it",
    change: "odd() { cat <<'END'\n$1 `x` }\nEND\ncase $1 in a) echo \"it's }\" ;; esac; }",
    look: "odd a",
    shown: "$1 `x` }\nit's }\n",
  },
  "function-exported": {
    title: "an exported function, for the programs of the next command, too",
    change: "shout() { echo LOUD; }; export -f shout",
    look: "bash -c shout",
    shown: "LOUD\n",
  },
  alias: {
    title: "an alias",
    change: "shopt -s expand_aliases; alias say='echo said'",
    look: "alias say; say it",
    shown: "alias say='echo said'\nsaid it\n",
  },
  shopt: {
    title: "a shopt option",
    change: "shopt -s nullglob; shopt -s extglob",
    look: "echo /no/such/file*; shopt -q extglob && echo on",
    shown: "\non\n",
  },
  noclobber: {
    title: "set -o noclobber",
    change: "set -o noclobber",
    look: "case $- in *C*) echo on;; esac",
    shown: "on\n",
  },
  noglob: { title: "set -f", change: "set -f", look: "echo /*", shown: "/*\n" },
  pipefail: {
    title: "set -o pipefail",
    change: "set -o pipefail",
    look: "false | true; echo $?",
    shown: "1\n",
  },
  allexport: {
    title: "set -a",
    change: "set -a",
    look: `FREE=yes; ${exportedValue("FREE")}`,
    shown: "yes\n",
  },
  umask: { title: "the umask", change: "umask 027", look: "umask", shown: "0027\n" },
  path: {
    title: "a changed PATH",
    change: "export PATH=/nowhere:$PATH",
    look: 'echo "${PATH%%:*}"',
    shown: "/nowhere\n",
  },
  "old-directory": {
    title: "the directory before, for cd -",
    change: "cd /tmp; cd /",
    look: "(cd - >/dev/null; pwd)",
    shown: "/tmp\n",
  },
};

/** SPEC 3.11 again: what was there and was taken away. Set in one command, taken away in the second, looked for in the third. */
const removed: Readonly<Record<string, Carried & { readonly undo: string }>> = {
  unset: {
    title: "that a variable was unset",
    change: "export GONE=1",
    undo: "unset GONE",
    look: `echo "[\${GONE-unset}]"; ${exportedValue("GONE")}`,
    shown: "[unset]\nunset\n",
  },
  unexported: {
    title: "that a variable is no longer exported",
    change: "export GONE=1",
    undo: "export -n GONE",
    look: exportedValue("GONE"),
    shown: "unset\n",
  },
  "inherited-unset": {
    title: "that a variable the sandbox came with was unset",
    change: 'echo "${HOME:+there}" >/dev/null',
    undo: "unset HOME",
    look: 'echo "[${HOME-unset}]"',
    shown: "[unset]\n",
  },
  "function-unset": {
    title: "that a function was unset",
    change: "gone() { echo still there; }",
    undo: "unset -f gone",
    look: "gone 2>/dev/null || echo gone",
    shown: "gone\n",
  },
  unalias: {
    title: "that an alias was removed",
    change: "alias gone='echo still there'",
    undo: "unalias gone",
    look: "alias gone 2>/dev/null || echo gone",
    shown: "gone\n",
  },
  "shopt-unset": {
    title: "that a shopt option was turned off again",
    change: "shopt -s nullglob",
    undo: "shopt -u nullglob",
    look: "shopt -q nullglob || echo off",
    shown: "off\n",
  },
  "noclobber-unset": {
    title: "that set -o noclobber was turned off again",
    change: "set -C",
    undo: "set +C",
    look: "case $- in *C*) echo on;; *) echo off;; esac",
    shown: "off\n",
  },
};

const keptCases = Object.entries(kept).map(
  ([name, { title, change, look, shown }]): [string, CaseDefinition] => [
    `kept-${name}`,
    {
      title: `${title} stays from command to command`,
      rule: "SPEC 3.11",
      needs: ["state"],
      async run({ check, session, nextCommandWorks }) {
        check.printed(await session.execute(change), "", "the change");
        check.printed(await session.execute(look), shown, "the next command");
        check.printed(await session.execute(look), shown, "the one after");
        await nextCommandWorks();
      },
    },
  ],
);

const removedCases = Object.entries(removed).map(
  ([name, { title, change, undo, look, shown }]): [string, CaseDefinition] => [
    `kept-${name}`,
    {
      title: `${title} stays from command to command`,
      rule: "SPEC 3.11",
      needs: ["state"],
      async run({ check, session, nextCommandWorks }) {
        check.exited(await session.execute(change), 0, "the setting");
        check.exited(await session.execute(undo), 0, "the taking away");
        check.printed(await session.execute(look), shown, "the next command");
        await nextCommandWorks();
      },
    },
  ],
);

export const stateKeptCases = casesOf("state", {
  ...Object.fromEntries(keptCases),
  ...Object.fromEntries(removedCases),
  "kept-before-failure": {
    title: "what a command changed before exit 3, a failure under set -e or a syntax error stays",
    rule: "DESIGN, the warm shell",
    needs: ["state"],
    async run({ check, session }) {
      check.exited(await session.execute("export A=1; cd /tmp; exit 3"), 3);
      check.printed(await session.execute('echo "$A $(pwd -P)"'), "1 /tmp\n");
      check.exited(await session.execute("set -e; export B=2; false; export B=3"), 1);
      check.printed(await session.execute('echo "$A $B"'), "1 2\n");
    },
  },
});

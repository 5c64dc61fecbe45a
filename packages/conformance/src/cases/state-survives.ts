import { casesOf, type CaseDefinition } from "../case.js";
import type { CaseContext } from "../case-context.js";

/** Ways to lose the shell that held the state: another has to take over, with everything. */
const losses: Readonly<
  Record<string, { readonly title: string; readonly lose: (context: CaseContext) => Promise<unknown> }>
> = {
  kill: { title: "a kill -9 of the shell", lose: ({ session }) => session.execute("kill -9 $$; sleep 5") },
  timeout: {
    title: "a timeout",
    lose: ({ session }) => session.execute("sleep 30", { timeoutMs: 300, killGraceMs: 300 }),
  },
  background: {
    title: "a child that holds on to the shell's streams",
    lose: ({ session, mark }) => session.execute(`sleep ${mark()} &`),
  },
};

const setUp =
  "export KEPT='a\nb'; unset HOME; kept() { echo \"kept $1\"; }; alias say='echo said'; " +
  "shopt -s expand_aliases nullglob; set -o noclobber; umask 077; cd /tmp";
const look =
  'printf "%s|%s|" "$KEPT" "${HOME-unset}"; kept on; say it; echo /no/such*; ' +
  "case $- in *C*) echo noclobber;; esac; umask; pwd -P; alias say";
const shown = "a\nb|unset|kept on\nsaid it\n\nnoclobber\n0077\n/tmp\nalias say='echo said'\n";

const survivalCases = Object.entries(losses).map(([name, { title, lose }]): [string, CaseDefinition] => [
  `survives-${name}`,
  {
    title: `everything that stays from command to command survives ${title}`,
    rule: "DESIGN, the warm shell",
    needs: ["state", "kill"],
    async run(context) {
      const { check, session, nextCommandWorks } = context;
      check.exited(await session.execute(setUp), 0, "the setting up");
      check.printed(await session.execute(look), shown, "the command before the loss");
      await lose(context);
      check.printed(await session.execute(look), shown, "the command after the loss");
      await lose(context);
      check.printed(await session.execute(look), shown, "the command after the second loss");
      await nextCommandWorks();
    },
  },
]);

/** Functions that stand in for words the shell's own machinery might use. */
const shadowed = [
  "builtin",
  "command",
  "eval",
  "exec",
  "exit",
  "export",
  "printf",
  "read",
  "set",
  "trap",
  "unset",
  "[",
  "cd",
  "declare",
];

/** Exported variables that steer a shell. */
const steering: readonly (readonly [string, string])[] = [
  ["IFS", "0123456789 x"],
  ["BASH_ENV", "/no/such/file"],
  ["ENV", "/no/such/file"],
  ["PS4", "$(echo noise >&2)"],
  ["POSIXLY_CORRECT", "1"],
  ["GLOBIGNORE", "*"],
  ["LC_ALL", "C"],
  ["CDPATH", "/:/tmp"],
  ["HISTFILE", "/no/such/file"],
  ["BASH_COMPAT", "4.2"],
  ["FUNCNEST", "1"],
];

export const stateSurvivesCases = casesOf("state", {
  ...Object.fromEntries(survivalCases),
  "shadowed-words": {
    title: "functions named like the shell's own words change their own command only as they would anywhere",
    rule: "DESIGN, the warm shell",
    needs: ["state"],
    async run({ check, openSession, nextCommandWorks }) {
      for (const word of shadowed) {
        const session = await openSession();
        // The status comes from a subshell's end, which no function can stand in for.
        const result = await session.execute(`${word}() { :; }; sh -c 'echo said; exit 3'`);
        check.exited(result, 3, `the command with a function ${word}`);
        check.equal(result.output, "said\n", `output with a function ${word}`);
        const next = await session.execute("sh -c 'echo next; exit 4'");
        check.exited(next, 4, `the command after a function ${word}`);
        check.equal(next.output, "next\n", `output after a function ${word}`);
      }
      await nextCommandWorks();
    },
  },
  "shadowed-by-alias": {
    title: "aliases named like the shell's own words do not disturb what runs the commands",
    rule: "DESIGN, the warm shell",
    needs: ["state"],
    async run({ check, session }) {
      const aliases = shadowed.filter((word) => word !== "[").map((word) => `alias ${word}=false`);
      check.exited(await session.execute(`shopt -s expand_aliases\n${aliases.join("; ")}`), 0);
      const next = await session.execute("sh -c 'echo next; exit 4'");
      check.exited(next, 4);
      check.equal(next.output, "next\n", "output");
      check.exited(await session.execute("\\unalias -a"), 0);
      check.printed(await session.execute("printf 'printed\\n'"), "printed\n", "the command after");
    },
  },
  "steering-variables": {
    title: "exported variables that steer the shell stay, and what runs the commands is not steered by them",
    rule: "DESIGN, the warm shell",
    needs: ["state"],
    async run({ check, openSession }) {
      for (const [name, value] of steering) {
        const session = await openSession();
        check.exited(await session.execute(`export ${name}='${value}'; exit 3`), 3, `exporting ${name}`);
        const next = await session.execute(`printf '%s\\n' "$${name}"; cd /tmp; sh -c 'exit 4'`);
        check.exited(next, 4, `the command after ${name}`);
        check.equal(next.output, `${value}\n`, `value of ${name} in the next command`);
        check.printed(await session.execute("pwd -P"), "/tmp\n", `the third command after ${name}`);
      }
    },
  },
  "read-timeout": {
    title: "an exported TMOUT of a second does not end a session that waits for longer",
    rule: "DESIGN, the warm shell",
    needs: ["state"],
    async run({ check, session, observer, nextCommandWorks }) {
      check.exited(await session.execute("export TMOUT=1 KEPT=yes"), 0);
      check.exited(await observer.execute("sleep 2.5"), 0, "the waiting");
      check.printed(await session.execute("echo $KEPT $TMOUT"), "yes 1\n", "the command after the wait");
      await nextCommandWorks();
    },
  },
  "broken-path": {
    title: "a PATH that leads nowhere costs programs only, and can be mended",
    rule: "DESIGN, the warm shell",
    needs: ["state"],
    async run({ check, session }) {
      check.exited(await session.execute("export SAVED=$PATH PATH=/nowhere"), 0);
      check.exited(await session.execute("ls"), 127, "a program");
      check.printed(await session.execute("echo builtin; cd /tmp; pwd"), "builtin\n/tmp\n", "builtins");
      check.exited(await session.execute("export PATH=$SAVED"), 0);
      check.exited(await session.execute("ls / >/dev/null"), 0, "the program after the mending");
    },
  },
  large: {
    title: "a hundred variables of four kilobytes and fifty functions stay, and cost no word of them",
    rule: "SPEC 3.11",
    needs: ["state"],
    async run({ check, session, nextCommandWorks }) {
      const value = "v".repeat(4_096);
      const names = Array.from({ length: 100 }, (_, index) => `LARGE_${index}`);
      const exports = names.map((name) => `export ${name}=${value}`).join("\n");
      const functions = Array.from({ length: 50 }, (_, index) => `f${index}() { echo ${index}; }`).join("\n");
      check.exited(await session.execute(`${exports}\n${functions}`), 0);
      const result = await session.execute("f0; f49; echo ${#LARGE_0} ${#LARGE_99}; env | grep -c '^LARGE_'");
      check.printed(result, "0\n49\n4096 4096\n100\n");
      await nextCommandWorks();
    },
  },
});

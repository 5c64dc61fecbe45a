import { casesOf, type CaseDefinition } from "../case.js";

/** Statuses that stand for something else elsewhere (timed out, cancelled, killed, lost link) but are a program's own here. */
const ownCodes = [1, 2, 42, 124, 125, 128, 130, 137, 143, 255];

const ownCodeCases = ownCodes.map((code): [string, CaseDefinition] => [
  `own-code-${code}`,
  {
    title: `a program that itself exits ${code} is exited with ${code}`,
    rule: "SPEC 3.2",
    async run({ check, session }) {
      check.exited(await session.execute(`sh -c 'exit ${code}'`), code, "a program");
      check.exited(await session.execute(`exit ${code}`), code, "the shell itself");
    },
  },
]);

export const outcomeStatusCases = casesOf("outcome", {
  zero: {
    title: "a command that succeeds is exited with 0, and its result has nothing to note",
    rule: "SPEC 3.1",
    async run({ check, session }) {
      // What there is to say of the session or the sandbox is said with the first result.
      check.exited(await session.execute("true"), 0, "the first command");
      const result = await session.execute("true");
      check.exited(result, 0);
      check.equal(result.notes, [], "notes of a plain command");
    },
  },
  ...Object.fromEntries(ownCodeCases),
  "not-found": {
    title: "a program that does not exist is exited with 127, and the output names it",
    rule: "SPEC 3.2",
    async run({ check, session }) {
      const result = await session.execute("no-such-program-of-the-suite --flag");
      check.exited(result, 127);
      check.includes(result.output, "no-such-program-of-the-suite", "the shell's message");
    },
  },
  "not-executable": {
    title: "a file that may not be executed is exited with 126",
    rule: "SPEC 3.2",
    async run({ check, session, folder }) {
      const path = await folder();
      check.exited(
        await session.execute(`printf 'echo no\\n' > ${path}/plain; ${path}/plain`),
        126,
        "a plain file",
      );
      check.exited(await session.execute(`${path}`), 126, "a directory");
    },
  },
  pipeline: {
    title: "the status of a pipeline is that of its last command",
    rule: "SPEC 3.2",
    async run({ check, session }) {
      check.exited(await session.execute("false | true"), 0, "false | true");
      check.exited(await session.execute("true | sh -c 'exit 9'"), 9, "true | exit 9");
    },
  },
  "last-command": {
    title: "the status is that of the last command, also after a wait for a background one",
    rule: "SPEC 3.2",
    async run({ check, session }) {
      check.exited(await session.execute("false; true"), 0, "false; true");
      check.exited(await session.execute("(exit 3) & wait $!"), 3, "wait for a background command");
      check.exited(await session.execute("! true"), 1, "! true");
    },
  },
  "child-killed": {
    title: "a program that is killed gives its shell 128 + n, and the shell goes on",
    rule: "SPEC 3.12",
    async run({ check, session }) {
      const result = await session.execute("sh -c 'kill -KILL $$'; status=$?; echo after; exit $status");
      check.exited(result, 137);
      check.includes(result.output, "after\n", "what the shell did afterwards");
    },
  },
  "exit-in-script": {
    title: "exit in the middle of a script ends it there with its status, and the next command works",
    rule: "DESIGN, the warm shell",
    async run({ check, session, nextCommandWorks }) {
      const result = await session.execute("echo before; exit 3; echo after");
      check.exited(result, 3);
      check.equal(result.output, "before\n", "output");
      await nextCommandWorks();
    },
  },
  exec: {
    title: "exec replaces the shell by a program whose status is reported, and the next command works",
    rule: "DESIGN, the warm shell",
    async run({ check, session, nextCommandWorks }) {
      const result = await session.execute("exec sh -c 'echo replaced; exit 9'");
      check.exited(result, 9);
      check.equal(result.output, "replaced\n", "output");
      await nextCommandWorks();
    },
  },
  "exec-missing": {
    title: "exec of a program that does not exist is exited with 127, and the next command works",
    rule: "DESIGN, the warm shell",
    async run({ check, session, nextCommandWorks }) {
      check.exited(await session.execute("exec no-such-program-of-the-suite"), 127);
      await nextCommandWorks();
    },
  },
  "exit-trap": {
    title: "a trap on EXIT of the command runs, and its status stands",
    rule: "DESIGN, the warm shell",
    async run({ check, session, nextCommandWorks }) {
      const result = await session.execute("trap 'echo bye' EXIT; echo hi; exit 6");
      check.exited(result, 6);
      check.equal(result.output, "hi\nbye\n", "output");
      await nextCommandWorks();
    },
  },
  errexit: {
    title: "set -e ends the command at its first failure and is gone in the next",
    rule: "SPEC 3.11",
    async run({ check, session }) {
      const result = await session.execute("set -e; echo one; false; echo two");
      check.exited(result, 1);
      check.equal(result.output, "one\n", "output");
      check.printed(await session.execute("false; echo goes on"), "goes on\n", "the next command");
    },
  },
  nounset: {
    title: "set -u ends the command at an unset variable and is gone in the next",
    rule: "SPEC 3.11",
    async run({ check, session }) {
      const result = await session.execute('set -u; echo "$no_such_variable"; echo not reached');
      check.exitedNonZero(result);
      check.includes(result.output, "no_such_variable", "the shell's message");
      check.excludes(result.output, "not reached", "output");
      check.printed(await session.execute('echo "[$no_such_variable]"'), "[]\n", "the next command");
    },
  },
  "or-throw": {
    title: "what did not succeed can be taken for an error, whose text says how it ended and what it printed",
    rule: "SPEC 3.4",
    async run({ check, session, mark }) {
      const fine = await session.execute("echo fine");
      check.that(fine.orThrow() === fine, "expected a success to be returned by orThrow");
      const failing = async (script: string, timeoutMs?: number): Promise<string> => {
        const result = await session.execute(script, { timeoutMs });
        const reason = await check.rejected(
          Promise.resolve().then(() => result.orThrow()),
          script,
        );
        return reason instanceof Error ? reason.message : "";
      };
      const failed = await failing("echo some output; exit 3");
      check.includes(failed, "3", "text of the error");
      check.includes(failed, "some output", "text of the error");
      const late = await failing(`echo until now; sleep ${mark()}`, 400);
      check.includes(late, "400", "text of the error of a timeout");
      check.includes(late, "until now", "text of the error of a timeout");
    },
  },
  noexec: {
    title: "set -n makes the rest of the command do nothing, and the next command works",
    rule: "DESIGN, the warm shell",
    async run({ check, session, nextCommandWorks }) {
      const result = await session.execute("echo read; set -n; echo not run");
      check.equal(result.outcome.kind, "exited", "kind of the outcome");
      check.excludes(result.output, "not run", "output");
      await nextCommandWorks();
    },
  },
});

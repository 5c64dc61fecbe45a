import { casesOf, type CaseDefinition } from "../case.js";
import type { CaseContext } from "../case-context.js";
import { timed } from "../stopwatch.js";

/** A command that would wait for its background child would take far longer than this. */
const promptMs = 5_000;

/** Ways to leave a process behind, each written with the mark of the `sleep` that stays. */
interface WayToLeave {
  readonly title: string;
  readonly script: (mark: string) => string;
  /** Must be in the sandbox. */
  readonly program?: string;
  /** Written for bash: a sandbox without it remembers no state. */
  readonly isBash?: true;
}

const waysToLeave: Readonly<Record<string, WayToLeave>> = {
  ampersand: { title: "a plain trailing &", script: (mark) => `sleep ${mark} &` },
  "and-list": { title: "A && B &", script: (mark) => `true && sleep ${mark} &` },
  nohup: { title: "nohup", script: (mark) => `nohup sleep ${mark} &`, program: "nohup" },
  setsid: { title: "setsid", script: (mark) => `setsid sleep ${mark} &`, program: "setsid" },
  disown: { title: "disown", script: (mark) => `sleep ${mark} & disown 2>/dev/null; :` },
  "double-fork": { title: "a double fork", script: (mark) => `( ( sleep ${mark} & ) & )` },
  "setsid-fork": {
    title: "a fork into a session of its own",
    script: (mark) => `( setsid sh -c 'sleep ${mark} & sleep 0' & )`,
    program: "setsid",
  },
  "stderr-only": { title: "a child that holds only stderr", script: (mark) => `sleep ${mark} >/dev/null &` },
  "stdout-only": { title: "a child that holds only stdout", script: (mark) => `sleep ${mark} 2>/dev/null &` },
  "no-streams": {
    title: "a child that holds no stream",
    script: (mark) => `sleep ${mark} </dev/null >/dev/null 2>&1 &`,
  },
  subshell: { title: "a subshell in the background", script: (mark) => `(cd /; sleep ${mark}; :) &` },
  substitution: {
    title: "a process substitution",
    script: (mark) => `true < <(sleep ${mark})`,
    isBash: true,
  },
};

async function leavesBehind(context: CaseContext, way: WayToLeave): Promise<void> {
  const { check, session, processes, nextCommandWorks } = context;
  if (way.program !== undefined) await context.needsProgram(way.program);
  const mark = context.mark();
  const { value: result, ms } = await timed(() => session.execute(`echo first; ${way.script(mark)}`));
  check.exited(result, 0);
  check.atMost(ms, context.patience(promptMs), "milliseconds until the command was answered");
  check.includes(result.output, "first\n", "output");
  await nextCommandWorks();
  check.that(await processes.isAlive(mark), "expected the child to live on after its command");
}

const leavingCases = Object.entries(waysToLeave).map(([name, way]): [string, CaseDefinition] => [
  name,
  {
    title: `${way.title} is answered at once, and the child lives on`,
    rule: "SPEC 3.9",
    needs: way.isBash === true ? ["state"] : [],
    run: (context) => leavesBehind(context, way),
  },
]);

export const completionBackgroundCases = casesOf("completion", {
  ...Object.fromEntries(leavingCases),
  "left-running": {
    title: "the result lists what its command left running, by pid and command, whichever way it was left",
    rule: "SPEC 3.9",
    needs: ["kill", "state"],
    async run({ check, session, processes, mark, needsProgram }) {
      for (const [name, { script, program }] of Object.entries(waysToLeave)) {
        if (program !== undefined) await needsProgram(program);
        const one = mark();
        const result = await session.execute(`${script(one)}`);
        check.exited(result, 0, name);
        const left = check.present(result.background, `${name}: the list of what was left running`);
        const sleeping = left.find(({ command }) => command.includes(one));
        check.equal(
          sleeping === undefined ? [] : [sleeping.pid],
          await processes.withMark(one),
          `${name}: its pid`,
        );
      }
      const plain = await session.execute("(sleep 0) & wait");
      check.equal(plain.background ?? [], [], "what a command left that waited for its child");
    },
  },
  "false-and-list": {
    title: "a background list whose first part fails is answered at once",
    rule: "SPEC 3.9",
    async run({ check, session, patience }) {
      const { value: result, ms } = await timed(() => session.execute("false && sleep 30 &"));
      check.exited(result, 0);
      check.atMost(ms, patience(promptMs), "milliseconds");
    },
  },
  "late-output": {
    title:
      "what a child writes after its command ended never appears in a later command, and does not end the child",
    rule: "DESIGN, the warm shell",
    async run({ check, session, observer, folder, until, nextCommandWorks }) {
      const path = await folder();
      const wait = `until [ -e ${path}/go ]; do sleep 0.05; done`;
      const result = await session.execute(
        `(${wait}; echo LATE; echo LATE >&2; echo done >${path}/done) & echo first`,
      );
      check.printed(result, "first\n");
      let seen = "";
      await observer.execute(`: >${path}/go`);
      await until("the child to have written and gone on", async () => {
        seen += (await session.execute("echo tick; echo tick >&2")).output;
        return (await observer.execute(`[ -e ${path}/done ]`)).exitCode === 0;
      });
      seen += (await session.execute("echo tick")).output;
      check.excludes(seen, "LATE", "output of the later commands");
      await nextCommandWorks();
    },
  },
  "late-flood": {
    title: "a child that writes megabytes after its command ended is neither blocked nor kept in memory",
    rule: "DESIGN, the warm shell",
    async run({ check, session, observer, folder, until, nextCommandWorks }) {
      const path = await folder();
      const flood = "head -c 4000000 /dev/zero; head -c 4000000 /dev/zero >&2";
      const result = await session.execute(
        `(until [ -e ${path}/go ]; do sleep 0.05; done; ${flood}; echo done >${path}/done) & echo first`,
      );
      check.printed(result, "first\n");
      await observer.execute(`: >${path}/go`);
      await until("the child to have written all of it", async () => {
        return (await observer.execute(`[ -e ${path}/done ]`)).exitCode === 0;
      });
      await nextCommandWorks();
    },
  },
  "flood-beside-state": {
    title: "a child that floods the output as its command ends never changes what the session remembers",
    rule: "SPEC 3.11",
    async run({ check, session, observer, folder, nextCommandWorks }) {
      const path = await folder();
      check.exited(await session.execute(`export STAYS='a b'; cd ${path}`), 0);
      const look = `echo "$STAYS"; printf %s "$PATH" | cksum; pwd`;
      const before = (await session.execute(look)).output;
      check.includes(before, "a b\n", "what the session remembers at first");
      for (let round = 0; round < 8; round += 1) {
        const flood = `while :; do echo flood; done & echo $! >${path}/pid; export MORE=${round}; sleep 0.05`;
        check.exited(await session.execute(flood, { maxOutputBytes: 1_000, spill: false }), 0);
        check.exited(await observer.execute(`kill -9 $(cat ${path}/pid)`), 0);
        check.printed(await session.execute(look), before, `what it remembers after flood ${round}`);
      }
      await nextCommandWorks();
    },
  },
  "many-children": {
    title: "a session that leaves a child behind with each of 30 commands goes on working",
    rule: "SPEC 3.9",
    async run({ check, session, processes, mark, nextCommandWorks }) {
      const one = mark();
      for (let index = 0; index < 30; index += 1) {
        check.printed(await session.execute(`sleep ${one} & echo ${index}`), `${index}\n`);
      }
      check.equal((await processes.withMark(one)).length, 30, "children that live on");
      await nextCommandWorks();
    },
  },
});

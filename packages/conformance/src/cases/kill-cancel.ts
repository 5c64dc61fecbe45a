import { setImmediate as nextTurn } from "node:timers/promises";
import { casesOf } from "../case.js";

export const killCancelCases = casesOf("kill", {
  cancel: {
    title: "a cancelled command is ended with 130, its partial output and nothing left",
    rule: "SPEC 3.2",
    needs: ["kill"],
    async run({ check, session, processes, mark, nextCommandWorks }) {
      const one = mark();
      const cancel = new AbortController();
      const result = await session.execute(`echo ready; sleep ${one} & sleep ${one}`, {
        signal: cancel.signal,
        onOutput: () => cancel.abort(),
      });
      const report = check.cancelled(result);
      check.equal(result.output, "ready\n", "output");
      check.oneOf(report.killed, ["all", "group"], "what was proven");
      check.equal(await processes.withMark(one), [], "processes of the command that live on");
      await nextCommandWorks();
    },
  },
  "cancel-before-start": {
    title: "a command cancelled before it was started never runs and has no exit code",
    rule: "SPEC 3.12",
    async run({ check, session, folder, observer, nextCommandWorks }) {
      const path = await folder();
      const result = await session.execute(`: >${path}/ran`, { signal: AbortSignal.abort() });
      check.equal(result.outcome.kind, "notStarted", "kind of the outcome");
      check.equal(result.outcome.kind === "notStarted" && result.outcome.reason, "cancelled", "its reason");
      check.equal(result.exitCode, null, "exitCode");
      check.exited(await observer.execute(`[ -e ${path}/ran ]`), 1, "looking for a trace of the command");
      await nextCommandWorks();
    },
  },
  "cancel-while-starting": {
    title: "a command cancelled while it starts is not started or cancelled, and leaves nothing",
    rule: "field 7.6, kill",
    needs: ["kill"],
    async run({ check, session, processes, mark, nextCommandWorks }) {
      const one = mark();
      for (let turns = 0; turns < 12; turns += 1) {
        const cancel = new AbortController();
        const running = session.execute(`sleep ${one}`, { signal: cancel.signal, killGraceMs: 200 });
        for (let turn = 0; turn < turns; turn += 1) await nextTurn();
        cancel.abort();
        const result = await running;
        check.oneOf(result.outcome.kind, ["notStarted", "cancelled"], "kind of the outcome");
        await nextCommandWorks();
      }
      check.equal(await processes.withMark(one), [], "processes of the commands that live on");
    },
  },
  "cancel-twice": {
    title: "cancelling twice is the same as once",
    rule: "field 7.6, kill",
    needs: ["kill"],
    async run({ check, session, processes, mark, nextCommandWorks }) {
      const one = mark();
      const cancel = new AbortController();
      const result = await session.execute(`echo ready; sleep ${one}`, {
        signal: cancel.signal,
        onOutput: () => {
          cancel.abort();
          cancel.abort();
        },
      });
      check.cancelled(result);
      cancel.abort();
      check.equal(await processes.withMark(one), [], "processes of the command that live on");
      await nextCommandWorks();
    },
  },
  "cancel-after-end": {
    title: "cancelling after the end changes nothing, neither for that command nor for the next",
    rule: "DESIGN, decision 12",
    async run({ check, session, nextCommandWorks }) {
      const cancel = new AbortController();
      const result = await session.execute("echo done; exit 2", { signal: cancel.signal });
      check.exited(result, 2);
      const next = session.execute("sleep 0.3; echo unharmed");
      cancel.abort();
      check.printed(await next, "unharmed\n");
      await nextCommandWorks();
    },
  },
  "cancel-hurts-own-only": {
    title: "one signal shared by two sessions cancels the commands it was given to and no other",
    rule: "DESIGN, decision 4",
    needs: ["kill", "concurrency"],
    async run({ check, session, openSession, mark }) {
      const cancel = new AbortController();
      const other = await openSession();
      const [first, second, third] = await Promise.all([
        session.execute(`echo a; sleep ${mark()}`, { signal: cancel.signal, onOutput: () => cancel.abort() }),
        other.execute(`sleep ${mark()}`, { signal: cancel.signal }),
        other.execute("sleep 1; echo unharmed"),
      ]);
      check.cancelled(first, "the first command");
      check.oneOf(second.outcome.kind, ["cancelled", "notStarted"], "kind of the second command's outcome");
      check.printed(third, "unharmed\n", "the command without the signal");
    },
  },
  "background-untouched": {
    title: "a timeout ends nothing that an earlier command had left running",
    rule: "DESIGN, decision 4",
    needs: ["kill"],
    async run({ check, session, processes, mark }) {
      const [earlier, late] = [mark(), mark()];
      check.exited(await session.execute(`sleep ${earlier} &`), 0);
      check.timedOut(await session.execute(`sleep ${late}`, { timeoutMs: 300, killGraceMs: 300 }));
      check.equal(await processes.withMark(late), [], "processes of the timed out command");
      check.equal((await processes.withMark(earlier)).length, 1, "processes left by the earlier command");
    },
  },
  "concurrent-unharmed": {
    title: "a timeout ends nothing of a command that runs at the same time",
    rule: "DESIGN, decision 4",
    needs: ["kill", "concurrency"],
    async run({ check, session }) {
      const [long, short] = await Promise.all([
        session.execute("echo start; sleep 1.5; echo end; exit 3"),
        session.execute("sleep 30", { timeoutMs: 400, killGraceMs: 300 }),
      ]);
      check.timedOut(short);
      check.exited(long, 3, "the other command");
      check.equal(long.output, "start\nend\n", "output of the other command");
    },
  },
});

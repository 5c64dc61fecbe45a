import { casesOf } from "../case.js";
import { timed } from "../stopwatch.js";

export const killTimeoutCases = casesOf("kill", {
  timeout: {
    title: "a command that takes too long is ended, with 124, its partial output and a kill that is proven",
    rule: "SPEC 3.2, 3.4",
    needs: ["kill"],
    async run({ check, session, processes, mark, patience, nextCommandWorks }) {
      const one = mark();
      const { value: result, ms } = await timed(() =>
        session.execute(`echo before; sleep ${one}; echo after`, { timeoutMs: 500 }),
      );
      const report = check.timedOut(result);
      check.equal(result.output, "before\n", "the output until then");
      check.atLeast(ms, 490, "milliseconds until the answer");
      check.atMost(ms, patience(8_000), "milliseconds until the answer");
      check.oneOf(report.killed, ["all", "group"], "what was proven");
      check.equal(report.survivors, [], "survivors");
      check.equal(await processes.withMark(one), [], "processes of the command that live on");
      await nextCommandWorks();
    },
  },
  "timeout-says-limit": {
    title: "the outcome of a timeout says which limit it was",
    rule: "SPEC 3.4",
    async run({ check, session }) {
      const result = await session.execute("sleep 30", { timeoutMs: 400 });
      check.timedOut(result);
      check.equal(
        result.outcome.kind === "timedOut" && result.outcome.timeoutMs,
        400,
        "timeoutMs of the outcome",
      );
    },
  },
  proof: {
    title: "a kill whose proof can be had is proven to have reached all",
    rule: "DESIGN, decision 4",
    needs: ["kill", "killProof"],
    async run({ check, session, processes, mark }) {
      const one = mark();
      const report = check.timedOut(
        await session.execute(`sleep ${one} & sh -c 'sleep ${one}; :'`, { timeoutMs: 400 }),
      );
      check.equal(report.killed, "all", "what was proven");
      check.equal(await processes.withMark(one), [], "processes of the command that live on");
    },
  },
  "term-ignoring-child": {
    title: "a child that ignores TERM is dead after the grace",
    rule: "DESIGN, decision 4",
    needs: ["kill"],
    async run({ check, session, processes, mark, nextCommandWorks }) {
      const one = mark();
      const result = await session.execute(`sh -c 'trap "" TERM HUP INT; echo ready; sleep ${one}; :'`, {
        timeoutMs: 500,
        killGraceMs: 300,
      });
      check.timedOut(result);
      check.equal(result.output, "ready\n", "output");
      check.equal(await processes.withMark(one), [], "processes of the command that live on");
      await nextCommandWorks();
    },
  },
  "term-ignoring-shell": {
    title: "a shell that ignores TERM itself is dead after the grace",
    rule: "DESIGN, decision 4",
    needs: ["kill"],
    async run({ check, session, processes, mark, nextCommandWorks }) {
      const one = mark();
      const script = `trap '' TERM HUP INT; echo ready; while :; do sleep ${one}; done`;
      check.timedOut(await session.execute(script, { timeoutMs: 500, killGraceMs: 300 }));
      check.equal(await processes.withMark(one), [], "processes of the command that live on");
      await nextCommandWorks();
    },
  },
  "time-to-clean": {
    title: "a program has the grace to clean up after TERM, and what it says then is in the output",
    rule: "SPEC 3.3",
    needs: ["kill"],
    async run({ check, session, mark, folder, observer }) {
      const path = await folder();
      const script =
        `trap "sleep 0.3; echo cleaned; echo yes >${path}/cleaned; exit 0" TERM; ` +
        `echo ready; sleep ${mark()} & wait`;
      const result = await session.execute(`sh -c '${script}'`, { timeoutMs: 600, killGraceMs: 5_000 });
      check.timedOut(result);
      check.equal(result.output, "ready\ncleaned\n", "output");
      check.printed(await observer.execute(`cat ${path}/cleaned`), "yes\n");
    },
  },
  "own-session-child": {
    title: "a child in a session of its own is dead after a timeout, or reported as a survivor",
    rule: "DESIGN, decision 4",
    needs: ["kill"],
    async run({ check, session, processes, mark, needsProgram, nextCommandWorks }) {
      await needsProgram("setsid");
      const [child, leader] = [mark(), mark()];
      const result = await session.execute(`setsid sleep ${child} & sleep ${leader}`, {
        timeoutMs: 500,
        killGraceMs: 300,
      });
      const report = check.timedOut(result);
      check.equal(await processes.withMark(leader), [], "processes of the foreground that live on");
      for (const pid of await processes.withMark(child)) {
        check.that(
          report.survivors.some((each) => each.pid === pid),
          `process ${pid} lives on and is not reported`,
        );
        check.that(report.killed !== "all", "a process lives on, but all are said to be dead");
      }
      await nextCommandWorks();
    },
  },
  "detached-child": {
    title:
      "a child that gave up its parents, its session and every descriptor is dead, or all is not claimed",
    rule: "DESIGN, decision 4",
    needs: ["kill"],
    async run({ check, session, processes, mark, needsProgram, nextCommandWorks }) {
      await needsProgram("setsid");
      const child = mark();
      const detach =
        'n=3; while [ $n -lt 256 ]; do eval "exec $n>&-"; n=$((n + 1)); done; ' +
        `exec env -i "$(command -v sleep)" ${child} </dev/null >/dev/null 2>&1`;
      const result = await session.execute(`( setsid sh -c '${detach}' & ); sleep ${mark()}`, {
        timeoutMs: 800,
        killGraceMs: 300,
      });
      const report = check.timedOut(result);
      if (await processes.isAlive(child)) {
        check.that(report.killed !== "all", "a process lives on, but all are said to be dead");
      }
      await nextCommandWorks();
    },
  },
  stopped: {
    title: "stopped processes, the shell itself among them, are ended by a timeout",
    rule: "field 7.6, kill",
    needs: ["kill"],
    async run({ check, session, processes, mark, nextCommandWorks }) {
      const one = mark();
      const script = `sleep ${one} & kill -STOP $!; echo stopped; sh -c 'kill -STOP $PPID; sleep ${one}; :'; wait`;
      const result = await session.execute(script, { timeoutMs: 600, killGraceMs: 300 });
      check.timedOut(result);
      check.equal(result.output, "stopped\n", "output");
      check.equal(await processes.withMark(one), [], "processes of the command that live on");
      await nextCommandWorks();
    },
  },
  "fork-tree": {
    title: "a tree of fifty shells with two children each is dead after a timeout",
    rule: "field 7.6, kill",
    needs: ["kill"],
    async run({ check, session, processes, mark, nextCommandWorks }) {
      const one = mark();
      const branch = `sh -c 'sleep ${one} & sleep ${one} & wait' &`;
      const script = `n=0; while [ $n -lt 50 ]; do n=$((n + 1)); ${branch} done; echo grown; wait`;
      const running = session.execute(script, { timeoutMs: 3_000, killGraceMs: 500 });
      const result = await running;
      check.timedOut(result);
      check.equal(result.output, "grown\n", "output");
      check.equal(await processes.withMark(one), [], "processes of the tree that live on");
      await nextCommandWorks();
    },
  },
  flood: {
    title: "a command that floods its output is ended in time, with the output bounded",
    rule: "SPEC 3.6",
    needs: ["kill"],
    async run({ check, session, patience, nextCommandWorks }) {
      const { value: result, ms } = await timed(() =>
        session.execute("yes 0123456789", { timeoutMs: 500, maxOutputBytes: 10_000 }),
      );
      check.timedOut(result);
      check.atMost(ms, patience(10_000), "milliseconds until the answer");
      check.that(result.output.startsWith("0123456789\n"), "expected the head of the output to be kept");
      check.present(result.truncated, "the account of what was dropped");
      await nextCommandWorks();
    },
  },
});

import type { ExecuteResult, YieldedCommand } from "@talaria/core";
import { casesOf } from "../case.js";
import type { Check } from "../check.js";
import { joined } from "../joined-chunks.js";

function ended(check: Check, result: ExecuteResult | YieldedCommand): ExecuteResult {
  if (!("yielded" in result) || result.yielded === undefined) return result;
  return check.fail(`the command yielded, with this output until then: ${result.output}`);
}

function yielded(check: Check, result: ExecuteResult | YieldedCommand): YieldedCommand {
  if ("yielded" in result && result.yielded !== undefined) return result;
  return check.fail(`the command did not yield: ${result.output}`);
}

export const jobsYieldCases = casesOf("jobs", {
  "yield-not-reached": {
    title:
      "a command that ends before it has to yield gives an ordinary result, and changes the session as ever",
    rule: "SPEC 4.4; field 7.3, 13",
    needs: ["state"],
    async run({ check, session, folder }) {
      const path = await folder();
      const result = ended(
        check,
        await session.execute(
          `cd ${path}; export LEFT='a b'; left() { echo function; }; echo out; echo err >&2; exit 3`,
          {
            yieldAfterMs: 20_000,
          },
        ),
      );
      check.exited(result, 3);
      check.equal([result.output, result.cwd], ["out\nerr\n", path], "output and directory");
      check.equal(session.cwd, path, "where the session stands");
      check.printed(
        await session.execute('pwd -P; echo "$LEFT"; left'),
        `${path}\na b\nfunction\n`,
        "the next command",
      );
    },
  },
  "yield-after-time": {
    title: "a command that reaches its time goes on as a job, and nothing of its output is lost or repeated",
    rule: "SPEC 4.4; field 7.3, 13",
    async run({ check, session, nextCommandWorks }) {
      const result = yielded(
        check,
        await session.execute("for i in 1 2 3 4 5 6 7 8; do echo line $i; sleep 0.15; done; exit 5", {
          yieldAfterMs: 500,
        }),
      );
      await nextCommandWorks();
      check.includes(result.notes.join(" "), result.yielded.id, "its notes");
      const rest = Buffer.from(await joined(result.yielded.follow({ offset: result.nextOffset }))).toString();
      check.equal(
        result.output + rest,
        [1, 2, 3, 4, 5, 6, 7, 8].map((at) => `line ${at}\n`).join(""),
        "all its output",
      );
      check.equal((await result.yielded.info()).exitCode, 5, "its status");
    },
  },
  "yield-after-silence": {
    title: "a command that is silent for long enough returns, says since when, and still runs",
    rule: "field 7.3, 13",
    async run({ check, session, processes, mark }) {
      const one = mark();
      const result = yielded(
        check,
        await session.execute(`echo begun; sleep ${one}`, { yieldAfterSilenceMs: 400 }),
      );
      check.equal(result.output, "begun\n", "its output until then");
      check.atLeast(result.silentMs, 390, "milliseconds of silence");
      check.includes(result.notes.join(" "), "still running", "its notes");
      check.that(await processes.isAlive(one), "its process is gone");
      await result.yielded.stop({ graceMs: 0 });
    },
  },
  "yield-timeout": {
    title: "a timeout that comes before the yield ends the command, with proof",
    rule: "SPEC 3.2, 4.4",
    needs: ["kill"],
    async run({ check, session, processes, mark }) {
      const one = mark();
      const result = ended(
        check,
        await session.execute(`echo begun; sleep ${one}`, { timeoutMs: 500, yieldAfterMs: 20_000 }),
      );
      check.equal(check.timedOut(result).survivors, [], "survivors");
      check.equal(result.output, "begun\n", "its output until then");
      check.equal(await processes.withMark(one), [], "processes that live on");
    },
  },
  "yield-key": {
    title: "a command with a key runs once: a second call gives the first one's result",
    rule: "field 7.3, 4",
    async run({ check, session, folder }) {
      const path = await folder();
      const command = `echo ran >>${path}/ran; echo out; exit 6`;
      const first = ended(check, await session.execute(command, { key: "task-1" }));
      const second = ended(check, await session.execute(command, { key: "task-1" }));
      check.exited(first, 6, "the first call");
      check.exited(second, 6, "the second call");
      check.equal([first.output, second.output], ["out\n", "out\n"], "their output");
      check.printed(await session.execute(`cat ${path}/ran`), "ran\n", "the traces of its runs");
    },
  },
});

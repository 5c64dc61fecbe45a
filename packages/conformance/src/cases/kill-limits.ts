import { casesOf } from "../case.js";

export const killLimitsCases = casesOf("kill", {
  "limit-refused": {
    title: "a timeout of 0, below 0, NaN or infinity is refused before anything runs",
    rule: "SPEC 3.3",
    async run({ check, session, folder, observer }) {
      const path = await folder();
      for (const timeoutMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
        await check.rejects(
          session.execute(`: >${path}/ran`, { timeoutMs }),
          ["invalid_argument", "config"],
          `a timeout of ${timeoutMs}`,
        );
      }
      check.exited(await observer.execute(`[ -e ${path}/ran ]`), 1, "looking for a trace of the commands");
    },
  },
  "limit-too-long": {
    title: "a foreground timeout above the configured limit is refused, naming the key",
    rule: "SPEC 3.3",
    async run({ check, session }) {
      const error = await check.rejects(
        session.execute("true", { timeoutMs: 100 * 86_400_000 }),
        ["invalid_argument", "config"],
        "a timeout of 100 days",
      );
      check.includes(
        `${error.message} ${error.hint}`,
        "terminal.max_foreground_seconds",
        "text of the error",
      );
    },
  },
  "limit-excludes-connecting": {
    title: "the time to reach a fresh sandbox is not charged to its first command's timeout",
    rule: "field 6 A 23",
    async run({ check, createEnvironment, openSession }) {
      const environment = await createEnvironment();
      const session = await openSession({ environment });
      const result = await session.execute("sleep 0.4; echo done", { timeoutMs: 1_500 });
      check.printed(result, "done\n");
    },
  },
  "limit-of-a-moment": {
    title: "a timeout in the very moment of starting leaves nothing running and hurts nothing",
    rule: "field 7.6, kill",
    needs: ["kill"],
    async run({ check, session, processes, mark, nextCommandWorks }) {
      const one = mark();
      for (const timeoutMs of [1, 2, 3, 5, 8, 13, 21]) {
        check.timedOut(await session.execute(`sleep ${one}`, { timeoutMs, killGraceMs: 200 }));
        await nextCommandWorks();
      }
      check.equal(await processes.withMark(one), [], "processes of the commands that live on");
    },
  },
  "ten-timeouts": {
    title: "ten timeouts in a row are each followed by a command that works",
    rule: "DESIGN, decision 4",
    needs: ["kill"],
    async run({ check, session, processes, mark, nextCommandWorks }) {
      const one = mark();
      for (let index = 0; index < 10; index += 1) {
        const result = await session.execute(`echo ${index}; sleep ${one}`, {
          timeoutMs: 150,
          killGraceMs: 300,
        });
        check.timedOut(result);
        await nextCommandWorks();
      }
      check.equal(await processes.withMark(one), [], "processes of the commands that live on");
    },
  },
  "own-124": {
    title: "what the timeout program ends in the sandbox is no timeout of ours",
    rule: "SPEC 3.2",
    async run({ check, session, needsProgram }) {
      await needsProgram("timeout");
      const result = await session.execute("timeout 1 sleep 30", { timeoutMs: 20_000 });
      check.equal(result.outcome.kind, "exited", "kind of the outcome");
      // Busybox's program says 143 where others say 124.
      check.oneOf(result.exitCode, [124, 143], "exitCode");
    },
  },
});

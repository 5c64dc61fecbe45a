import { casesOf } from "../case.js";
import { timed } from "../stopwatch.js";

export const concurrencyCases = casesOf("concurrency", {
  "fifty-at-once": {
    title: "fifty commands of one session run at the same time",
    rule: "SPEC 3.10",
    needs: ["concurrency"],
    async run({ check, session, patience }) {
      const { value: results, ms } = await timed(() =>
        Promise.all(
          Array.from({ length: 50 }, (_, index) =>
            session.execute(`sleep 0.5; echo ${index}; exit ${index}`),
          ),
        ),
      );
      for (const [index, result] of results.entries()) {
        check.exited(result, index, `command ${index}`);
        check.equal(result.output, `${index}\n`, `output of command ${index}`);
      }
      check.atMost(ms, patience(12_000), "milliseconds for what takes 25,000 one after the other");
    },
  },
  "more-than-channels": {
    title: "more commands than can run at once wait for their turn and all end well",
    rule: "field 7.6, concurrency",
    needs: ["concurrency"],
    deadlineMs: 60_000,
    async run({ check, session }) {
      const results = await Promise.all(
        Array.from({ length: 150 }, (_, index) => session.execute(`sleep 0.05; echo ${index}`)),
      );
      for (const [index, result] of results.entries())
        check.printed(result, `${index}\n`, `command ${index}`);
    },
  },
  "output-not-mixed": {
    title: "the output of parallel commands is not mixed up",
    rule: "SPEC 3.10",
    needs: ["concurrency"],
    async run({ check, session }) {
      const results = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          session.execute(`n=0; while [ $n -lt 500 ]; do echo ${index}-$n; n=$((n + 1)); done`),
        ),
      );
      for (const [index, result] of results.entries()) {
        const expected = Array.from({ length: 500 }, (_, line) => `${index}-${line}\n`).join("");
        check.printed(result, expected, `command ${index}`);
      }
    },
  },
  "input-not-mixed": {
    title: "the input of parallel commands is not mixed up",
    rule: "SPEC 3.5",
    needs: ["concurrency", "stdin"],
    async run({ check, session }) {
      const inputs = Array.from({ length: 10 }, (_, index) => `${index}\n`.repeat(20_000));
      const results = await Promise.all(
        inputs.map((stdin) => session.execute("sort -u; echo end", { stdin, maxOutputBytes: 500_000 })),
      );
      for (const [index, result] of results.entries())
        check.printed(result, `${index}\nend\n`, `command ${index}`);
    },
  },
  "slow-consumer": {
    title: "a consumer that takes nothing holds up its own command only",
    rule: "field 7.6, concurrency",
    needs: ["concurrency"],
    async run({ check, session }) {
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let isHeld = (): void => undefined;
      const holding = new Promise<void>((resolve) => {
        isHeld = resolve;
      });
      const slow = session.execute("head -c 20000000 /dev/zero; exit 3", {
        onOutput: () => {
          isHeld();
          return held;
        },
      });
      await holding;
      for (let index = 0; index < 10; index += 1) {
        check.printed(await session.execute(`echo ${index}`), `${index}\n`, "a command beside the slow one");
      }
      release();
      check.exited(await slow, 3, "the command with the slow consumer");
    },
  },
  "starts-from-session": {
    title: "each command starts from the session's state at its start",
    rule: "SPEC 3.10",
    needs: ["concurrency", "state"],
    async run({ check, session }) {
      check.exited(await session.execute("export BASE=1; cd /tmp"), 0);
      const look = 'echo "$BASE $(pwd -P)"';
      const results = await Promise.all(
        Array.from({ length: 8 }, () => session.execute(`${look}; export BASE=2; cd /`)),
      );
      for (const result of results) check.printed(result, "1 /tmp\n");
      check.printed(await session.execute(look), "2 /\n", "the next command");
    },
  },
  "merges-names": {
    title: "parallel commands that change different names all have their change kept",
    rule: "SPEC 3.10",
    needs: ["concurrency", "state"],
    async run({ check, session }) {
      check.exited(await session.execute("export DROP=1"), 0);
      await Promise.all([
        session.execute("export ONE=1; sleep 0.3"),
        session.execute("export TWO=2"),
        session.execute("unset DROP; sleep 0.2"),
        session.execute("three() { echo 3; }; sleep 0.1"),
        session.execute("umask 027; sleep 0.2"),
        session.execute("alias four='echo 4'"),
      ]);
      const look = 'echo "$ONE $TWO [$DROP]"; three; umask; alias four';
      check.printed(
        await session.execute(look),
        "1 2 []\n3\n0027\nalias four='echo 4'\n",
        "the next command",
      );
    },
  },
  "last-to-end-wins": {
    title: "of two commands that set one name the one that ends last wins",
    rule: "SPEC 3.10",
    needs: ["concurrency", "state"],
    async run({ check, session, folder }) {
      const path = await folder();
      const slow = session.execute(`export WHO=slow; until [ -e ${path}/go ]; do sleep 0.05; done`);
      check.exited(await session.execute("export WHO=quick"), 0);
      check.printed(await session.execute("echo $WHO"), "quick\n", "while the slow one runs");
      check.exited(await session.execute(`: >${path}/go`), 0);
      check.exited(await slow, 0, "the slow command");
      check.printed(await session.execute("echo $WHO"), "slow\n", "after it");
    },
  },
  "unchanged-writes-nothing": {
    title: "a command that changed nothing writes nothing back over what others changed meanwhile",
    rule: "SPEC 3.10",
    needs: ["concurrency", "state"],
    async run({ check, session, folder }) {
      const path = await folder();
      check.exited(await session.execute("export STAYS=old GOES=1; f() { echo old; }; cd /"), 0);
      const slow = session.execute(`until [ -e ${path}/go ]; do sleep 0.05; done; export OTHER=1; f`);
      check.exited(await session.execute(`export STAYS=new; unset GOES; f() { echo new; }; cd ${path}`), 0);
      check.exited(await session.execute(`: >${path}/go`), 0);
      check.printed(await slow, "old\n", "the slow command");
      const look = 'echo "$STAYS [$GOES] $OTHER"; f; pwd -P';
      check.printed(await session.execute(look), `new [] 1\nnew\n${path}\n`, "the next command");
      check.equal<string | null>(session.cwd, path, "cwd of the session");
    },
  },
  "cd-of-last": {
    title: "of two parallel commands that change the directory the one that ends last wins",
    rule: "SPEC 3.10",
    needs: ["concurrency", "state"],
    async run({ check, session, folder }) {
      const path = await folder();
      const slow = session.execute(`cd ${path}; until [ -e ${path}/go ]; do sleep 0.05; done`);
      check.exited(await session.execute("cd /tmp"), 0);
      check.equal<string | null>(session.cwd, "/tmp", "cwd while the slow one runs");
      check.exited(await session.execute(`: >${path}/go`), 0);
      await slow;
      check.printed(await session.execute("pwd -P"), `${path}\n`, "the next command");
    },
  },
  "sessions-at-once": {
    title: "ten sessions opened at once each do their own work",
    rule: "SPEC 3.10",
    needs: ["state"],
    async run({ check, openSession }) {
      const sessions = await Promise.all(Array.from({ length: 10 }, () => openSession()));
      await Promise.all(sessions.map((session, index) => session.execute(`export WHO=${index}; cd /`)));
      const results = await Promise.all(sessions.map((session) => session.execute("echo $WHO")));
      for (const [index, result] of results.entries())
        check.printed(result, `${index}\n`, `session ${index}`);
    },
  },
  "environments-at-once": {
    title: "six environments made at once are each their own, and are freed at once",
    rule: "field 7.6, concurrency",
    needs: ["state"],
    deadlineMs: 90_000,
    async run({ check, createEnvironment, openSession, waitFor }) {
      const environments = await Promise.all(Array.from({ length: 6 }, () => createEnvironment()));
      const sessions = await Promise.all(environments.map((environment) => openSession({ environment })));
      await Promise.all(sessions.map((session, index) => session.execute(`export WHO=${index}`)));
      const results = await Promise.all(sessions.map((session) => session.execute("echo $WHO")));
      for (const [index, result] of results.entries())
        check.printed(result, `${index}\n`, `environment ${index}`);
      await waitFor("all cleanups", Promise.all(environments.map((environment) => environment.cleanup())));
    },
  },
  "failures-at-once": {
    title: "timeouts, cancels, kills and failures at the same time each get their own outcome",
    rule: "DESIGN, decision 1",
    needs: ["concurrency", "kill"],
    async run({ check, session, mark, nextCommandWorks }) {
      const cancel = new AbortController();
      const [late, cancelled, killed, failed, fine] = await Promise.all([
        session.execute(`sleep ${mark()}`, { timeoutMs: 500, killGraceMs: 300 }),
        session.execute(`echo a; sleep ${mark()}`, { signal: cancel.signal, onOutput: () => cancel.abort() }),
        session.execute("sleep 0.2; kill -9 $$; sleep 5"),
        session.execute("sleep 0.2; exit 9"),
        session.execute("sleep 0.7; echo fine"),
      ]);
      check.timedOut(late);
      check.cancelled(cancelled);
      check.oneOf(killed.outcome.kind, ["signaled", "lost"], "kind of the killed one's outcome");
      check.exited(failed, 9, "the failed one");
      check.printed(fine, "fine\n", "the one that was left alone");
      await nextCommandWorks();
    },
  },
});

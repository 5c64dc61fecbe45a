import { casesOf } from "../case.js";
import { readAll, readUntil } from "../read-all.js";

export const lifecycleProcessCases = casesOf("lifecycle", {
  spawned: {
    title: "a spawned program has three streams of its own, and its exit is seen",
    rule: "DESIGN, the one primitive",
    needs: ["spawn"],
    async run({ check, session, waitFor }) {
      const program = await session.spawn(["sh", "-c", "cat; echo err >&2; exit 7"]);
      const [out, err] = [readAll(program.stdout), readAll(program.stderr)];
      program.stdin.end("through");
      check.equal((await waitFor("stdout", out)).toString(), "through", "stdout");
      check.equal((await waitFor("stderr", err)).toString(), "err\n", "stderr");
      check.equal(await waitFor("its exit", program.exit), { kind: "exited", code: 7 }, "exit");
    },
  },
  "spawned-in-session": {
    title: "a spawned program starts in the session's directory with its exported variables",
    rule: "SPEC 2.7",
    needs: ["spawn", "state"],
    async run({ check, session, folder, waitFor }) {
      const path = await folder();
      check.exited(await session.execute(`cd ${path}; export HERE=yes GONE=1`), 0);
      const script = 'pwd; echo "$HERE ${GONE-unset} $OWN"';
      const program = await session.spawn(["sh", "-c", script], { env: { OWN: "mine", GONE: undefined } });
      program.stdin.end();
      const output = (await waitFor("the program's output", readAll(program.stdout))).toString();
      check.equal(output, `${path}\nyes unset mine\n`, "output");
    },
  },
  "spawned-killed": {
    title: "a spawned program that is killed is signaled, and killing it again is nothing",
    rule: "DESIGN, the one primitive",
    needs: ["spawn"],
    async run({ check, session, mark, processes, until, waitFor }) {
      const one = mark();
      const program = await session.spawn(["sleep", one]);
      await until("the program to run", () => processes.isAlive(one));
      await program.kill();
      check.equal(
        await waitFor("its exit", program.exit),
        { kind: "signaled", signal: "SIGTERM", signalNumber: 15 },
        "exit",
      );
      await program.kill("SIGKILL");
      check.equal(await processes.withMark(one), [], "processes that live on");
    },
  },
  "spawned-aborted": {
    title: "aborting its signal ends a spawned program, and an aborted signal starts none",
    rule: "DESIGN, decision 12",
    needs: ["spawn"],
    async run({ check, session, mark, processes, until, waitFor }) {
      const [one, two] = [mark(), mark()];
      const abort = new AbortController();
      const program = await session.spawn(["sleep", one], { signal: abort.signal });
      await until("the program to run", () => processes.isAlive(one));
      abort.abort();
      const exit = await waitFor("its exit", program.exit);
      check.oneOf(exit.kind, ["signaled", "lost"], "kind of its exit");
      await until("its process to be gone", async () => !(await processes.isAlive(one)));
      await check.rejected(
        session.spawn(["sleep", two], { signal: AbortSignal.abort() }),
        "a spawn aborted before",
      );
      check.equal(await processes.withMark(two), [], "processes of the spawn aborted before");
    },
  },
  "spawned-missing": {
    title: "a program that is not there is a typed error or exit 127, never a success",
    rule: "DESIGN, decision 5",
    needs: ["spawn"],
    async run({ check, session, waitFor, nextCommandWorks }) {
      const answer = await session.spawn(["/no/such/program/of/the/suite"]).then(
        async (program) => waitFor("its exit", program.exit),
        (error: unknown) => error,
      );
      const isTyped = answer instanceof Error && "code" in answer && answer.name !== "Error";
      const is127 = JSON.stringify(answer) === JSON.stringify({ kind: "exited", code: 127 });
      check.that(isTyped || is127, `expected a typed error or exit 127, got ${String(answer)}`);
      await nextCommandWorks();
    },
  },
  "spawned-write-after-exit": {
    title: "writing to a program that has ended is an answer on its stream, and disturbs nothing else",
    rule: "field 6 E 115",
    needs: ["spawn"],
    async run({ check, session, waitFor, nextCommandWorks }) {
      const program = await session.spawn(["true"]);
      check.equal(await waitFor("its exit", program.exit), { kind: "exited", code: 0 }, "exit");
      const errors: unknown[] = [];
      program.stdin.on("error", (error) => errors.push(error));
      await waitFor(
        "the answer to the write",
        new Promise<void>((resolve) => {
          program.stdin.write("late", () => resolve());
        }),
      );
      program.stdin.end();
      await nextCommandWorks();
    },
  },
  "spawned-exit-before-end": {
    title: "a spawned program's exit is seen while a child of it still holds its streams",
    rule: "DESIGN, decision 3",
    needs: ["spawn"],
    async run({ check, session, mark, waitFor }) {
      const program = await session.spawn(["sh", "-c", `sleep ${mark()} & echo started; exit 5`]);
      const started = readUntil(program.stdout, "started");
      check.equal(await waitFor("its exit", program.exit), { kind: "exited", code: 5 }, "exit");
      check.includes(await waitFor("its output", started), "started", "output");
      await program.kill("SIGKILL");
    },
  },
  "spawned-not-of-commands": {
    title: "closing or ending commands of a session leaves its spawned programs alone",
    rule: "DESIGN, decision 4",
    needs: ["spawn", "kill"],
    async run({ check, session, waitFor }) {
      const program = await session.spawn(["cat"]);
      check.timedOut(await session.execute("sleep 30", { timeoutMs: 300, killGraceMs: 300 }));
      await session.execute("kill -9 $$; sleep 5");
      const output = readAll(program.stdout);
      program.stdin.end("still there");
      check.equal((await waitFor("its output", output)).toString(), "still there", "output");
      check.equal(await waitFor("its exit", program.exit), { kind: "exited", code: 0 }, "exit");
    },
  },
});

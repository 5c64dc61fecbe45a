import { capabilityNames } from "@talaria/core";
import { casesOf } from "../case.js";
import { TemporaryFiles } from "../temporary-files.js";

export const lifecycleEnvironmentCases = casesOf("lifecycle", {
  identity: {
    title:
      "an environment says whose it is and which sandbox, by an id that stays, and counts its sandboxes from 1",
    rule: "SPEC 2.10",
    async run({ check, createEnvironment, openSession, folder }) {
      const [one, two] = [await createEnvironment(), await createEnvironment()];
      check.equal(one.backend, two.backend, "backend");
      check.that(/^[a-z0-9_]+$/.test(one.backend), `expected a backend's name, got ${one.backend}`);
      const { id } = one;
      check.that(id !== "", "expected an id");
      const session = await openSession({ environment: one });
      const path = await folder();
      const result = await session.execute(`mkdir -p ${path} && : >${path}/here`);
      check.exited(result, 0);
      check.equal([result.generation, result.recreated], [1, undefined], "generation, recreated");
      check.equal(one.id, id, "id after a command");
      // Two environments of one machine may well have one id: then they must be one sandbox.
      if (one.id !== two.id) return;
      const other = await openSession({ environment: two });
      check.exited(
        await other.execute(`[ -e ${path}/here ]`),
        0,
        "looking for a file of the sandbox of that id",
      );
    },
  },
  capabilities: {
    title: "an environment says what it can do, and has what it says",
    rule: "SPEC 1, capabilities",
    async run({ check, session, capabilities }) {
      const { environment } = session;
      check.present(environment.capabilities, "capabilities()");
      const declared = check.present(await environment.capabilities?.(), "the list of capabilities");
      check.equal(new Set(declared).size, declared.length, "different names in the list");
      check.equal(
        declared.filter((name) => capabilityNames.includes(name)).length,
        declared.length,
        "known names",
      );
      check.equal(new Set(declared), new Set(capabilities), "the same list again");
      check.equal(declared.includes("spawn"), environment.spawn !== undefined, "spawn declared and there");
    },
  },
  "missing-refused": {
    title: "what an environment cannot do is refused as unsupported, never left out quietly",
    rule: "DESIGN, the one primitive",
    async run({ check, session, capabilities, nextCommandWorks }) {
      const attempts = [
        ["stdin", () => session.execute("cat", { stdin: "x" })],
        ["separateStreams", () => session.execute("true", { separate: true })],
        ["user", () => session.execute("true", { user: "nobody" })],
        ["spawn", () => session.spawn(["true"])],
      ] as const;
      for (const [name, attempt] of attempts) {
        if (!capabilities.has(name)) await check.rejects(attempt(), "unsupported", name);
      }
      await nextCommandWorks();
    },
  },
  "cleanup-twice": {
    title: "freeing an environment twice, also at the same time, is freeing it once",
    rule: "DESIGN, decision 13",
    async run({ check, createEnvironment, openSession, waitFor }) {
      const environment = await createEnvironment();
      const session = await openSession({ environment });
      check.printed(await session.execute("echo open"), "open\n");
      await waitFor("both cleanups", Promise.all([environment.cleanup(), environment.cleanup()]));
      const report = await waitFor("the third cleanup", environment.cleanup());
      check.that(Array.isArray(report.left), "expected a list of what was left");
    },
  },
  "cleanup-unused": {
    title: "an environment that never ran a command is freed like any other",
    rule: "DESIGN, decision 13",
    async run({ check, createEnvironment, waitFor }) {
      const environment = await createEnvironment();
      const report = await waitFor("the cleanup", environment.cleanup());
      check.equal(report.left, [], "processes left");
    },
  },
  "use-after-cleanup": {
    title: "a freed environment refuses commands and programs with an error that says so",
    rule: "field 7.6, lifecycle",
    async run({ check, createEnvironment, openSession }) {
      const environment = await createEnvironment();
      const session = await openSession({ environment });
      check.printed(await session.execute("echo open"), "open\n");
      await environment.cleanup();
      await check.rejects(environment.execute("true"), "closed", "a command of the environment");
      await check.rejects(session.execute("true"), "closed", "a command of a session on it");
      if (environment.spawn !== undefined) {
        await check.rejects(environment.spawn(["true"]), "closed", "a spawned program");
      }
    },
  },
  "cleanup-while-running": {
    title: "freeing an environment ends its running commands, and the calls that wait for them are answered",
    rule: "DESIGN, decision 3",
    needs: ["kill"],
    async run({ check, createEnvironment, openSession, mark, processesSeenBy, processes, until, waitFor }) {
      const environment = await createEnvironment();
      const session = await openSession({ environment });
      const one = mark();
      const running = session.execute(`sh -c 'trap "" TERM; sleep ${one}; :'`).then(
        (result) => result.outcome.kind,
        (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : String(error)),
      );
      const inside = processesSeenBy(await openSession({ environment }));
      await until("the command to run", () => inside.isAlive(one));
      await waitFor("the cleanup", environment.cleanup());
      check.oneOf(await waitFor("the answer", running), ["cancelled", "lost", "closed"], "its answer");
      // Where the sandbox outlives its environment, it is looked at from the shared one.
      await until("its process to be gone", async () => !(await processes.isAlive(one)));
    },
  },
  "cleanup-leaves-no-process": {
    title: "a freed environment has left no process but those that it names",
    rule: "DESIGN, decision 11",
    needs: ["kill"],
    async run({ check, createEnvironment, openSession, mark, processes, processesSeenBy, until, waitFor }) {
      const environment = await createEnvironment();
      const session = await openSession({ environment });
      const one = mark();
      check.exited(await session.execute(`sleep ${one} & echo started`), 0);
      const inside = processesSeenBy(await openSession({ environment }));
      check.equal((await inside.withMark(one)).length, 1, "children before the cleanup");
      const shell = (await session.execute("echo $$; echo $PPID")).output.trim().split("\n")[0] ?? "";
      const { left } = await waitFor("the cleanup", environment.cleanup());
      const alive = await processes.withMark(one);
      for (const pid of alive) {
        check.that(
          left.some((each) => each.pid === pid),
          `process ${pid} lives on and is not named`,
        );
      }
      await until("the shell of the session to be gone", async () => {
        const seen = (await processes.list()).find(({ pid }) => pid === Number(shell));
        return seen === undefined || seen.state === "Z";
      });
    },
  },
  "cleanup-leaves-no-file": {
    title: "a freed environment has left no file of its own in the sandbox's temporary folders",
    rule: "field 7.6, lifecycle",
    async run({ check, createEnvironment, openSession, observer, mark, until, sandboxIsHost }) {
      const environment = await createEnvironment();
      const own = check.present(await environment.tempDir?.(), "tempDir()");
      const files = new TemporaryFiles(observer, { own, isShared: sandboxIsHost });
      await files.rememberWhatIsThere();
      const session = await openSession({ environment });
      for (const script of [
        "export A=1; f() { :; }",
        "exit 3",
        "kill -9 $$; sleep 1",
        `sleep ${mark()} &`,
        "true",
      ]) {
        await session.execute(script);
      }
      await session.execute("sleep 10", { timeoutMs: 300, killGraceMs: 300 });
      await Promise.all([session.execute("sleep 0.1"), session.execute("sleep 0.1")]);
      await session.close();
      await environment.cleanup();
      let left: readonly string[] = [];
      await until("the files to be gone", async () => {
        left = await files.abandoned();
        return left.length === 0;
      }).catch(() => undefined);
      check.equal(left, [], "files that nobody uses");
    },
  },
  "temp-dir": {
    title: "the environment's own folder is private, owned by the account, and accepts files",
    rule: "SPEC 6.6",
    async run({ check, session }) {
      const path = check.present(await session.environment.tempDir?.(), "tempDir()");
      const result = await session.execute(
        'cd "$OWN" && ls -ldn . | cut -c1-10 && [ -O . ] && : >probe && rm probe',
        {
          env: { OWN: path },
        },
      );
      check.printed(result, "drwx------\n");
    },
  },
  "default-directory": {
    title: "a session that was told nothing starts in a directory that exists, and says which",
    rule: "SPEC 2.1",
    async run({ check, createEnvironment, openSession }) {
      const session = await openSession({ environment: await createEnvironment() });
      const result = await session.execute("pwd -P");
      check.printed(result, `${result.cwd}\n`);
      check.equal(session.cwd, result.cwd, "cwd of the session");
    },
  },
  "nothing-grows": {
    title: "after five hundred commands there are no more processes, descriptors or zombies than before",
    rule: "field 7.6, kill",
    alone: true,
    deadlineMs: 120_000,
    async run({ check, session, processes, sandboxIsHost, until }) {
      const scripts = [
        "true",
        "/bin/true",
        "(exit 3) & wait",
        "sh -c 'exit 1'",
        "true | false",
        "echo $(date)",
      ];
      const round = async (commands: number): Promise<void> => {
        for (let index = 0; index < commands; index += 1)
          await session.execute(scripts[index % scripts.length] ?? "true");
      };
      const count = async (): Promise<{ processes: number; zombies: number; descriptors: number }> => {
        const shells = Number((await session.execute("echo $$")).output);
        const all = await processes.list();
        // On a shared machine others come and go: there only what belongs to this process or the shell counts.
        const own = sandboxIsHost
          ? all.filter(({ parentPid }) => [process.pid, shells].includes(parentPid))
          : all;
        const descriptors = await session.execute("ls /proc/$$/fd 2>/dev/null | wc -l");
        return {
          processes: own.filter(({ state }) => state !== "Z").length,
          zombies: own.filter(({ state }) => state === "Z").length,
          descriptors: Number(descriptors.output),
        };
      };
      await round(30);
      const before = await count();
      await round(500);
      let after = before;
      await until("the counts to be as before", async () => {
        after = await count();
        return after.processes <= before.processes && after.zombies <= before.zombies;
      }).catch(() => undefined);
      check.atMost(after.processes, before.processes, "processes");
      check.atMost(after.zombies, before.zombies, "zombies");
      check.atMost(after.descriptors, before.descriptors, "descriptors of the shell");
    },
  },
});

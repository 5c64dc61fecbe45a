import { asSandboxPath } from "@talaria/core";
import { casesOf } from "../case.js";

export const lifecycleSessionCases = casesOf("lifecycle", {
  "close-twice": {
    title: "closing a session twice is closing it once",
    rule: "DESIGN, decision 13",
    async run({ check, openSession }) {
      const session = await openSession();
      check.printed(await session.execute("echo open"), "open\n");
      await Promise.all([session.close(), session.close()]);
      await session.close();
      check.that(true, "closed three times");
    },
  },
  "use-after-close": {
    title: "a closed session refuses commands and programs with an error that says so",
    rule: "field 7.6, lifecycle",
    async run({ check, openSession, folder, observer }) {
      const path = await folder();
      const session = await openSession();
      await session.close();
      await check.rejects(session.execute(`: >${path}/ran`), "closed", "a command");
      await check.rejects(session.spawn(["touch", `${path}/ran`]), "closed", "a spawned program");
      check.exited(await observer.execute(`[ -e ${path}/ran ]`), 1, "looking for a trace of them");
    },
  },
  "close-while-running": {
    title: "closing a session ends its running command, and the call that waits for it is answered",
    rule: "DESIGN, decision 3",
    needs: ["kill"],
    async run({ check, openSession, mark, processes, until, waitFor }) {
      const session = await openSession();
      const one = mark();
      const running = session.execute(`sleep ${one}`).then(
        (result) => result.outcome.kind,
        (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : String(error)),
      );
      await until("the command to run", () => processes.isAlive(one));
      await waitFor("the session to close", session.close());
      check.oneOf(await waitFor("the answer", running), ["cancelled", "lost", "closed"], "its answer");
      await until("its process to be gone", async () => !(await processes.isAlive(one)));
    },
  },
  "close-hurts-no-other": {
    title: "closing one session of an environment hurts no other",
    rule: "DESIGN, words",
    async run({ check, session, openSession, nextCommandWorks }) {
      check.exited(await session.execute("cd /tmp"), 0);
      const other = await openSession();
      check.exited(await other.execute("cd /"), 0);
      const running = session.execute("sleep 0.5; pwd -P");
      await other.close();
      check.printed(await running, "/tmp\n", "a command that ran meanwhile");
      await nextCommandWorks();
    },
  },
  "sessions-apart": {
    title: "two sessions of one environment share files and no state",
    rule: "DESIGN, words",
    needs: ["state"],
    async run({ check, session, openSession, folder }) {
      const path = await folder();
      const other = await openSession();
      check.exited(
        await session.execute(
          `export MINE=1; f() { :; }; alias a=b; umask 077; set -C; cd ${path}; echo text >file`,
        ),
        0,
      );
      const look =
        'echo "[$MINE]"; type f >/dev/null 2>&1 && echo f; alias a 2>/dev/null; case $- in *C*) echo C;; esac';
      check.printed(await other.execute(look), "[]\n", "state in the other session");
      check.that(other.cwd !== path, "the other session has followed a cd of this one");
      check.printed(await other.execute(`cat ${path}/file`), "text\n", "the file in the other session");
    },
  },
  "state-moves": {
    title: "the state of a session can be taken out and put into a fresh environment, exactly",
    rule: "SPEC 3.11",
    needs: ["state"],
    async run({ check, createEnvironment, openSession }) {
      const [source, target] = [await createEnvironment(), await createEnvironment()];
      const run = async (environment: typeof source, command: string): ReturnType<typeof source.execute> =>
        environment.execute(command, {
          shellId: "moved",
          start: { path: asSandboxPath("/"), ifMissing: "fail" },
        });
      const exportState = check.present(source.exportShellState?.bind(source), "exportShellState");
      const importState = check.present(target.importShellState?.bind(target), "importShellState");
      const setUp =
        "export KEPT=\"$(printf 'a\\nb\\377')\"; export LAST='x\n'; unset HOME; f() { echo f; }; " +
        "alias a='echo a'; umask 027; set -o noclobber; shopt -s nullglob";
      check.exited(await run(source, setUp), 0, "the setting up");
      const snapshot = await exportState("moved");
      check.equal(JSON.parse(JSON.stringify(snapshot)), snapshot, "the state as plain data");
      await importState(snapshot, "moved");
      const look =
        'printf "%s|%s|%s|" "$KEPT" "$LAST" "${HOME-unset}" | od -An -tx1 | tr -d " \\n"; echo; f; alias a; umask; ' +
        "case $- in *C*) echo C;; esac; shopt -q nullglob && echo nullglob";
      const shown = `${Buffer.from("a\nb\u00FF|x\n|unset|", "latin1").toString("hex")}\nf\nalias a='echo a'\n0027\nC\nnullglob\n`;
      check.printed(await run(source, look), shown, "the state where it came from");
      check.printed(await run(target, look), shown, "the state where it went");
      const session = await openSession({ environment: target });
      check.printed(await session.execute('echo "[$LAST]"'), "[]\n", "the state of another session there");
    },
  },
});

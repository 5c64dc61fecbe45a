import { casesOf } from "../case.js";
import { joined } from "../joined-chunks.js";

export const jobsLifeCases = casesOf("jobs", {
  start: {
    title: "a job is started at once, runs where the session stands, and says how it ended",
    rule: "SPEC 4.1",
    async run({ check, session, folder }) {
      const path = await folder();
      check.exited(await session.execute(`cd ${path}`), 0);
      const job = await session.jobs.start("pwd -P; exit 5", { label: "a label" });
      const info = await job.wait();
      check.equal([info.state, info.exitCode, info.signal], ["exited", 5, null], "how it ended");
      check.equal(
        [info.command, info.label, info.cwd],
        ["pwd -P; exit 5", "a label", path],
        "what is known of it",
      );
      check.equal((await job.read()).text, `${path}\n`, "its output");
      check.that(info.endedAt !== null && info.endedAt >= info.startedAt, "its end is not after its start");
    },
  },
  "start-options": {
    title: "a job's directory and variables are for it alone",
    rule: "SPEC 4.1",
    async run({ check, session, folder, nextCommandWorks }) {
      const path = await folder();
      const job = await session.jobs.start('pwd -P; echo "$ONLY_JOB"; cd /; ONLY_JOB=other', {
        workdir: path,
        env: { ONLY_JOB: 'it\'s\n"here"' },
      });
      await job.wait();
      check.equal((await job.read()).text, `${path}\nit's\n"here"\n`, "its output");
      check.printed(await session.execute('echo "[$ONLY_JOB]"'), "[]\n", "the variable afterwards");
      await check.rejects(
        session.jobs.start("true", { workdir: `${path}/none` }),
        "workdir",
        "a missing directory",
      );
      await nextCommandWorks();
    },
  },
  "session-state": {
    title:
      "a job has the session's variables, functions, aliases, options and umask, and changes none of them",
    rule: "SPEC 3.11, 4.1",
    needs: ["state"],
    async run({ check, session }) {
      const setUp =
        "export MINE='a b'; greet() { echo \"greet $1\"; }; shopt -s expand_aliases; alias hi='greet hi'; umask 027; set -o noclobber";
      check.exited(await session.execute(setUp), 0);
      const job = await session.jobs.start(
        'echo "$MINE"; hi; umask; case $- in *C*) echo C;; esac; export MINE=changed; greet() { :; }; umask 0; cd /',
      );
      check.equal((await job.wait()).exitCode, 0, "its status");
      check.equal((await job.read()).text, "a b\ngreet hi\n0027\nC\n", "its output");
      check.printed(
        await session.execute('echo "$MINE"; greet you; umask'),
        "a b\ngreet you\n0027\n",
        "the session",
      );
    },
  },
  "killed-is-signaled": {
    title: "a job that is killed was ended by a signal, and one that exits with 137 was not",
    rule: "DESIGN, decision 1",
    async run({ check, session }) {
      const killed = await session.jobs.start("kill -9 $$");
      const { state, signal, exitCode } = await killed.wait();
      check.equal([state, signal, exitCode], ["signaled", "SIGKILL", 137], "the killed one");
      const exited = await (await session.jobs.start("exit 137")).wait();
      check.equal([exited.state, exited.signal, exited.exitCode], ["exited", null, 137], "the other one");
    },
  },
  signal: {
    title: "a signal reaches the job, INT included, and one that has ended refuses it",
    rule: "SPEC 4.1",
    needs: ["state"],
    async run({ check, session }) {
      const job = await session.jobs.start(
        "trap 'echo got USR1' USR1; echo up; while :; do sleep 0.05; done",
      );
      await job.waitForLog("up");
      await job.signal("SIGUSR1");
      await job.waitForLog("got USR1", { timeoutMs: 10_000 });
      const other = await session.jobs.start("echo up; exec sleep 100");
      await other.waitForLog("up");
      await other.signal("INT");
      check.equal((await other.wait()).signal, "SIGINT", "what ended the other one");
      await job.stop({ graceMs: 0 });
      await check.rejects(job.signal("HUP"), "job_ended", "a signal to one that has ended");
    },
  },
  "wait-timeout": {
    title: "a wait whose time is over says that the job still runs, and the job goes on",
    rule: "SPEC 4.1; DESIGN, decision 12",
    async run({ check, session, mark }) {
      const job = await session.jobs.start(`sleep ${mark()}`);
      const info = await job.wait({ timeoutMs: 200 });
      check.equal([info.state, info.exitCode, info.endedAt], ["running", null, null], "after the time");
      const controller = new AbortController();
      const waiting = job.wait({ signal: controller.signal });
      controller.abort(new Error("enough"));
      await check.rejected(waiting, "a wait that is given up");
      check.equal((await job.info()).state, "running", "after that");
      await job.stop({ graceMs: 0 });
    },
  },
  "wait-for-many": {
    title: "fifty jobs at once all run, are all listed, and are all waited for",
    rule: "SPEC 4.4; field 7.6, concurrency",
    deadlineMs: 90_000,
    async run({ check, session }) {
      const numbers = Array.from({ length: 50 }, (_, at) => at);
      const jobs = await Promise.all(
        numbers.map((at) => session.jobs.start(`sleep 0.2; echo job ${at}; exit ${at}`)),
      );
      const listed = new Set((await session.jobs.list()).map(({ id }) => id));
      check.equal(jobs.filter(({ id }) => !listed.has(id)).length, 0, "jobs that are not listed");
      const ends = await Promise.all(jobs.map((job) => job.wait()));
      check.equal(
        ends.map(({ exitCode }) => exitCode),
        numbers,
        "their statuses",
      );
      const texts = await Promise.all(jobs.slice(0, 10).map(async (job) => (await job.read()).text));
      check.equal(
        texts,
        numbers.slice(0, 10).map((at) => `job ${at}\n`),
        "outputs",
      );
    },
  },
  list: {
    title:
      "the list has every job of the session, running and ended, the newest first, and no other session's",
    rule: "SPEC 4.1",
    async run({ check, session, openSession, mark }) {
      const ended = await session.jobs.start("exit 2");
      await ended.wait();
      const running = await session.jobs.start(`sleep ${mark()}`);
      const other = await openSession();
      await (await other.jobs.start("true")).wait();
      const list = (await session.jobs.list()).map(({ id, state }) => [id, state]);
      check.equal(
        list,
        [
          [running.id, "running"],
          [ended.id, "exited"],
        ],
        "the list",
      );
      await running.stop({ graceMs: 0 });
    },
  },
  "prefix-of-id": {
    title: "a beginning of an id names its job when it is the only one, and an unknown id is an error",
    rule: "SPEC 4.1",
    async run({ check, session }) {
      const jobs = await Promise.all(Array.from({ length: 17 }, () => session.jobs.start("true")));
      const first = check.present(jobs[0], "a job");
      check.equal((await session.jobs.get(first.id.slice(0, 9))).id, first.id, "by nine digits");
      const letters = jobs.map(({ id }) => id.charAt(0));
      const twice = check.present(
        letters.find((one, at) => letters.indexOf(one) !== at),
        "a letter that two begin with",
      );
      await check.rejects(session.jobs.get(twice), "job_ambiguous", "a beginning of two");
      await check.rejects(session.jobs.get("000000000000"), "job_not_found", "an unknown id");
      await check.rejects(session.jobs.get("../jobs"), "job_not_found", "what is no id");
    },
  },
  remove: {
    title: "a job that has ended can be forgotten, one that runs cannot",
    rule: "SPEC 4.3",
    async run({ check, session, mark }) {
      const job = await session.jobs.start(`sleep ${mark()}`);
      await check.rejects(session.jobs.remove(job.id), "job_invalid", "while it runs");
      await job.stop({ graceMs: 0 });
      await session.jobs.remove(job.id);
      await check.rejects(job.info(), "job_not_found", "its info afterwards");
      await check.rejects(job.read(), "job_not_found", "its log afterwards");
      check.equal(await session.jobs.list(), [], "the list");
    },
  },
  closing: {
    title: "a session that closes names the jobs it leaves, or stops them when it is told to",
    rule: "SPEC 4.3",
    async run({ check, openSession, processes, mark, until }) {
      const name = `conformance-${mark()}`;
      const first = await openSession({ session: name });
      const length = mark();
      const { id } = await first.jobs.start(`sleep ${length}`);
      const left = await first.close();
      check.equal(
        left.jobsLeft.map((job) => job.id),
        [id],
        "jobs left",
      );
      check.that(await processes.isAlive(length), "the job goes on");
      const second = await openSession({ session: name });
      const stopped = await second.close({ stopJobs: true });
      check.equal(stopped.jobsLeft, [], "jobs left when they were to be stopped");
      await until("the job is gone", async () => !(await processes.isAlive(length)));
    },
  },
  reattach: {
    title:
      "a second session of the same name has the job, and goes on in its log without a byte lost or repeated",
    rule: "SPEC 4.2",
    async run({ check, openSession, mark }) {
      const name = `conformance-${mark()}`;
      const first = await openSession({ session: name });
      const started = await first.jobs.start("for i in 1 2 3 4 5; do echo line $i; sleep 0.1; done; exit 6");
      let text = "";
      for await (const { bytes } of started.follow()) {
        text += Buffer.from(bytes).toString();
        break;
      }
      await first.close();
      const second = await openSession({ session: name });
      const job = await second.jobs.get(started.id);
      text += Buffer.from(await joined(job.follow({ offset: text.length }))).toString();
      check.equal(text, [1, 2, 3, 4, 5].map((at) => `line ${at}\n`).join(""), "both sessions' output");
      check.equal((await job.info()).exitCode, 6, "its status");
    },
  },
  "pid-reuse": {
    title:
      "a job whose supervisor's pid belongs to another process by now is lost, and nobody else is ended for it",
    rule: "SPEC 4.2",
    needs: ["state"],
    async run({ check, session, mark, processes, until }) {
      const [one, other] = [mark(), mark()];
      const job = await session.jobs.start(`echo "$TALARIA_JOB"; sleep ${one}`);
      const { line: folder } = await job.waitForLog("/jobs/");
      const stranger = await session.jobs.start(`echo "$TALARIA_JOB"; sleep ${other}`);
      const { line: otherFolder } = await stranger.waitForLog("/jobs/");
      // As after a restart: the numbers are given again, to processes that began at another time.
      const forge =
        'read -r pid start rest <"$2/pid"; echo "$pid 1 $rest" >"$1/pid"; ' +
        'read -r pid start boot <"$2/supervisor"; echo "$pid 1 $boot" >"$1/supervisor"';
      check.exited(await session.execute(`set -- '${folder}' '${otherFolder}'; ${forge}`), 0, "the forging");
      const info = await job.info();
      check.equal([info.state, info.exitCode], ["lost", null], "the job");
      await check.rejects(job.signal("KILL"), "job_ended", "a signal to it");
      await job.stop({ graceMs: 300 });
      check.that(await processes.isAlive(other), "the other process was ended");
      await until("what the job itself had started to be gone", async () => !(await processes.isAlive(one)));
      await stranger.stop({ graceMs: 0 });
    },
  },
});

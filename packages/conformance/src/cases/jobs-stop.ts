import { casesOf } from "../case.js";

export const jobsStopCases = casesOf("jobs", {
  stop: {
    title: "stopping a job ends it by TERM, says so, and keeps its log",
    rule: "SPEC 4.3",
    needs: ["kill"],
    async run({ check, session, processes, mark }) {
      const one = mark();
      const job = await session.jobs.start(`trap 'echo got TERM; exit 0' TERM; echo up; sleep ${one} & wait`);
      await job.waitForLog("up");
      const report = await job.stop();
      check.oneOf(report.killed, ["all", "group"], "what was proven");
      check.equal(report.survivors, [], "survivors");
      check.equal(await processes.withMark(one), [], "processes that live on");
      check.equal((await job.info()).state, "stopped", "the job");
      check.equal((await job.read()).text, "up\ngot TERM\n", "its log");
    },
  },
  "stop-proof": {
    title:
      "a child that ignores TERM, one in a session of its own and one whose parent is gone are all ended, with proof",
    rule: "SPEC 4.3; DESIGN, decision 4",
    needs: ["kill", "killProof"],
    async run({ check, session, processes, mark, needsProgram }) {
      await needsProgram("setsid");
      const one = mark();
      const job = await session.jobs.start(
        `sh -c 'trap "" TERM; sleep ${one}; :' & setsid sleep ${one} & (sleep ${one} &) ; (setsid sh -c 'sleep ${one} & sleep ${one}' &); echo up; sleep ${one}`,
      );
      await job.waitForLog("up");
      check.equal(await job.stop({ graceMs: 300 }), { killed: "all", survivors: [] }, "the report");
      check.equal(await processes.withMark(one), [], "processes that live on");
    },
  },
  "stop-leaves-siblings": {
    title: "stopping one job leaves the others, the session and its running command alone",
    rule: "SPEC 4.3; DESIGN, decision 4",
    needs: ["kill"],
    async run({ check, session, processes, mark, nextCommandWorks }) {
      const [one, other] = [mark(), mark()];
      const job = await session.jobs.start(`sleep ${one}`);
      const sibling = await session.jobs.start(`sleep ${other}`);
      const running = session.execute("sleep 0.6; echo done");
      await job.stop({ graceMs: 200 });
      check.equal(await processes.withMark(one), [], "processes of the stopped one");
      check.equal((await sibling.info()).state, "running", "the other job");
      check.that(await processes.isAlive(other), "the other job's process is gone");
      check.printed(await running, "done\n", "the running command");
      await nextCommandWorks();
      await sibling.stop({ graceMs: 0 });
    },
  },
  "stop-twice": {
    title: "stopping a job that has ended is no error, and ends what it left running",
    rule: "SPEC 4.3",
    needs: ["kill", "killProof"],
    async run({ check, session, processes, mark }) {
      const one = mark();
      const job = await session.jobs.start(`sleep ${one} & exit 3`);
      check.equal((await job.wait()).exitCode, 3, "its status");
      check.that(await processes.isAlive(one), "what it left running is gone");
      check.equal(await job.stop({ graceMs: 200 }), { killed: "all", survivors: [] }, "the report");
      check.equal(await processes.withMark(one), [], "processes that live on");
      check.equal((await job.stop()).survivors, [], "survivors of a second stop");
      const { state, exitCode } = await job.info();
      check.equal([state, exitCode], ["exited", 3], "the job");
    },
  },
  "stop-all": {
    title: "all jobs of a session can be stopped at once, and nothing of them is left",
    rule: "SPEC 4.3",
    needs: ["kill"],
    deadlineMs: 60_000,
    async run({ check, session, processes, mark }) {
      const one = mark();
      const jobs = await Promise.all(Array.from({ length: 12 }, () => session.jobs.start(`sleep ${one}`)));
      const reports = await session.jobs.stopAll({ graceMs: 500 });
      check.equal(
        new Set(reports.map(({ id }) => id)),
        new Set(jobs.map(({ id }) => id)),
        "jobs that were stopped",
      );
      check.equal(
        reports.flatMap(({ report }) => report.survivors),
        [],
        "survivors",
      );
      check.equal(await processes.withMark(one), [], "processes that live on");
    },
  },
  "outlives-session": {
    title: "closing a session leaves its jobs running, unless it is told to stop them",
    rule: "SPEC 4.3",
    async run({ check, openSession, processes, mark }) {
      const name = `conformance-${mark()}`;
      const one = mark();
      const first = await openSession({ session: name });
      const job = await first.jobs.start(`sleep ${one}`);
      await first.close();
      check.that(await processes.isAlive(one), "its process is gone");
      const second = await openSession({ session: name });
      check.equal(
        (await (await second.jobs.get(job.id)).info()).state,
        "running",
        "the job, seen by another session",
      );
      await second.jobs.stopAll({ graceMs: 0 });
      check.equal(await processes.withMark(one), [], "its process after stopAll");
    },
  },
  key: {
    title: "a second start with the same key gives the first job, from another session of that name too",
    rule: "field 7.3, 4",
    async run({ check, openSession, folder, mark }) {
      const path = await folder();
      const name = `conformance-${mark()}`;
      const [one, other] = [await openSession({ session: name }), await openSession({ session: name })];
      const command = `echo ran >>${path}/ran; sleep 0.2; exit 4`;
      const jobs = await Promise.all(
        [one, other, one, other].map((session) => session.jobs.start(command, { key: "order:17" })),
      );
      check.equal(new Set(jobs.map(({ id }) => id)).size, 1, "jobs there are");
      const job = check.present(jobs[0], "the job");
      const { exitCode, key } = await job.wait();
      check.equal([exitCode, key], [4, "order:17"], "how it ended");
      const later = await other.jobs.start(command, { key: "order:17" });
      check.equal(later.id, job.id, "a start after its end");
      check.printed(await one.execute(`cat ${path}/ran`), "ran\n", "the traces of its runs");
      await check.rejects(
        one.jobs.start("true", { key: "order:17" }),
        "job_invalid",
        "the key with another command",
      );
      await check.rejects(one.jobs.start("true", { key: "a b" }), "invalid_argument", "what is no key");
    },
  },
});

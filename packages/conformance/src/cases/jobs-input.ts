import { randomBytes } from "node:crypto";
import { casesOf } from "../case.js";

export const jobsInputCases = casesOf("jobs", {
  "stdin-closed": {
    title: "a job's standard input is at its end unless it was asked for, and a write then is an error",
    rule: "SPEC 3.5, 4.1",
    async run({ check, session }) {
      const job = await session.jobs.start("cat; echo end");
      check.equal((await job.wait()).exitCode, 0, "its status");
      check.equal((await job.read()).text, "end\n", "its output");
      await check.rejects(job.write("text"), "job_invalid", "a write");
      await job.closeStdin();
    },
  },
  write: {
    title: "what is written to a job arrives in order and byte for byte, and its end when it is closed",
    rule: "SPEC 3.5, 4.1",
    async run({ check, session }) {
      const bytes = Buffer.concat([Buffer.from("-n %s \\ \0'\"\n"), randomBytes(40_000)]);
      const job = await session.jobs.start("cat", { stdin: "open" });
      await Promise.all([
        job.write(bytes.subarray(0, 100)),
        job.write(bytes.subarray(100, 30_000)),
        job.write(bytes.subarray(30_000)),
        job.closeStdin(),
      ]);
      check.equal((await job.wait()).exitCode, 0, "its status");
      check.bytes((await job.read(0, { maxBytes: 1024 * 1024 })).bytes, bytes, "what cat wrote");
      await job.closeStdin();
    },
  },
  "write-after-end": {
    title: "a write to a job that has ended is an error, and so is one after its input was closed",
    rule: "SPEC 4.1",
    async run({ check, session }) {
      const ended = await session.jobs.start("exit 0", { stdin: "open" });
      await ended.wait();
      await check.rejects(ended.write("text"), "job_ended", "a write after the end");
      const closed = await session.jobs.start("cat; read -r x; sleep 100", { stdin: "open" });
      await closed.closeStdin();
      await check.rejects(closed.write("text"), "job_invalid", "a write after closing");
      await closed.stop({ graceMs: 0 });
    },
  },
  "wait-for-log": {
    title: "a wait for a line of the log finds one that is there already and one that comes, and says where",
    rule: "SPEC 4.4; field 6, 149",
    async run({ check, session }) {
      const job = await session.jobs.start("echo starting; echo listening on 8080; read go; echo ready: 42", {
        stdin: "open",
      });
      const first = await job.waitForLog(/listening on (\d+)/);
      check.equal(
        [first.line, first.offset, first.groups[1]],
        ["listening on 8080", 9, "8080"],
        "the first match",
      );
      const coming = job.waitForLog("ready", { sinceOffset: first.offset, timeoutMs: 20_000 });
      await job.write("go\n");
      check.equal((await coming).line, "ready: 42", "the second match");
    },
  },
  "wait-for-log-fails": {
    title:
      "a wait for a line fails with the end of the log when the job ends first, and when its time is over",
    rule: "SPEC 4.4",
    async run({ check, session, mark }) {
      const job = await session.jobs.start("echo cannot bind; exit 1");
      const ended = await check.rejects(job.waitForLog("ready"), "job_ended", "a wait for what never comes");
      check.includes(ended.message, "cannot bind", "its message");
      const running = await session.jobs.start(`echo still here; sleep ${mark()}`);
      const late = await check.rejects(
        running.waitForLog("ready", { timeoutMs: 500 }),
        "job_invalid",
        "a wait of 500 ms",
      );
      check.includes(late.message, "still here", "its message");
      check.equal((await running.info()).state, "running", "the job");
      await running.stop({ graceMs: 0 });
    },
  },
  "wait-for-port": {
    title: "a wait for a port ends when something listens there, and fails when the job ends first",
    rule: "SPEC 4.1",
    async run({ check, session, needsProgram }) {
      await needsProgram("perl");
      const listen =
        'use IO::Socket::INET; $s = IO::Socket::INET->new(LocalAddr => "127.0.0.1", Listen => 5) or die; ' +
        '$| = 1; print "port ", $s->sockport, "\\n"; sleep 100';
      const job = await session.jobs.start(`sleep 0.3; exec perl -e '${listen}'`);
      const { groups } = await job.waitForLog(/^port (\d+)$/, { timeoutMs: 20_000 });
      const port = Number(groups[1]);
      await job.waitForPort(port, { timeoutMs: 10_000 });
      check.equal((await job.info()).state, "running", "the job that listens");
      await job.stop({ graceMs: 0 });
      await check.rejects(job.waitForPort(port), "job_ended", "a wait after its end");
      await check.rejects(job.waitForPort(0), "invalid_argument", "a wait for no port");
    },
  },
  "watch-events": {
    title:
      "lines that match a pattern are told of as events, at most one in an interval, and then the job's end",
    rule: "SPEC 4.4",
    async run({ check, session, waitFor }) {
      const listening = session.jobs.events();
      const job = await session.jobs.start("echo ready 1; echo ready 2; echo other; exit 4", {
        watch: [{ pattern: "ready" }, { pattern: /^oth/, name: "the other" }],
      });
      const seen: unknown[] = [];
      const reading = (async () => {
        for await (const event of listening) {
          if (event.jobId !== job.id) continue;
          if (event.kind === "match") seen.push([event.pattern, event.line, event.offset]);
          if (event.kind === "end") return event.info.exitCode;
        }
        return null;
      })();
      check.equal(await waitFor("the event of its end", reading), 4, "status in the event of its end");
      check.equal(
        seen,
        [
          ["ready", "ready 1", 0],
          ["the other", "other", 16],
        ],
        "matches",
      );
    },
  },
  terminal: {
    title: "a job can have a terminal: its size, its input, and a resize of which it is told",
    rule: "SPEC 4.1",
    needs: ["tty"],
    async run({ check, session, needsProgram }) {
      await needsProgram("python3");
      const job = await session.jobs.start(
        "trap 'stty size' WINCH; [ -t 0 ] && [ -t 1 ] && echo a terminal; stty size; read -r line; echo \"got $line\"; read -r line || echo end of file",
        { tty: { columns: 91, rows: 33 } },
      );
      await job.waitForLog("33 91", { timeoutMs: 15_000 });
      check.includes((await job.read()).text, "a terminal", "its output");
      await job.resize({ columns: 120, rows: 50 });
      await job.write("text\n");
      await job.waitForLog("got text", { timeoutMs: 15_000 });
      await job.closeStdin();
      check.equal((await job.wait({ timeoutMs: 15_000 })).state, "exited", "after the end of its input");
      const { text } = await job.read();
      check.includes(text, "50 120", "its output");
      check.includes(text, "end of file", "its output");
      const plain = await session.jobs.start("sleep 100");
      await check.rejects(
        plain.resize({ columns: 80, rows: 24 }),
        "job_invalid",
        "a resize without a terminal",
      );
      await plain.stop({ graceMs: 0 });
    },
  },
  "terminal-stop": {
    title: "stopping a job with a terminal ends all that it runs",
    rule: "SPEC 4.3",
    needs: ["tty", "kill", "killProof"],
    async run({ check, session, processes, mark, needsProgram }) {
      await needsProgram("python3");
      const one = mark();
      const job = await session.jobs.start(`echo up; sleep ${one} & sleep ${one}`, {
        tty: { columns: 80, rows: 24 },
      });
      await job.waitForLog("up", { timeoutMs: 15_000 });
      check.equal(await job.stop(), { killed: "all", survivors: [] }, "the report");
      check.equal(await processes.withMark(one), [], "processes that live on");
      check.equal((await job.info()).state, "stopped", "the job");
    },
  },
});

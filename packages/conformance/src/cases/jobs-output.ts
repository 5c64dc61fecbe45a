import { casesOf } from "../case.js";
import { joined } from "../joined-chunks.js";

export const jobsOutputCases = casesOf("jobs", {
  "read-from-offset": {
    title: "a job's log is read from any offset, and the next offset goes on where the read before ended",
    rule: "SPEC 4.1",
    async run({ check, session }) {
      const job = await session.jobs.start("printf 0123456789; printf abcdef >&2");
      check.equal((await job.wait()).state, "exited", "the job");
      const first = await job.read(0, { maxBytes: 6 });
      check.equal(
        [first.text, first.offset, first.nextOffset, first.ended],
        ["012345", 0, 6, false],
        "a first read",
      );
      const rest = await job.read(first.nextOffset);
      check.equal([rest.text, rest.nextOffset, rest.ended], ["6789abcdef", 16, true], "the read after it");
      const none = await job.read(16);
      check.equal([none.text, none.nextOffset, none.ended], ["", 16, true], "a read at the end");
    },
  },
  "read-bad-offset": {
    title: "an offset that is negative, no whole number, or beyond the end is an error that says so",
    rule: "field 7.6, reconnect",
    async run({ check, session }) {
      const job = await session.jobs.start("echo text");
      await job.wait();
      for (const offset of [-1, 0.5, Number.NaN, 6]) {
        await check.rejects(job.read(offset), "job_invalid", `a read from ${offset}`);
      }
      await check.rejects(joined(job.follow({ offset: 6 })), "job_invalid", "following from beyond the end");
    },
  },
  "both-streams": {
    title: "both streams of a job are in its log, in the order they were written",
    rule: "SPEC 4.2",
    async run({ check, session }) {
      const job = await session.jobs.start("for i in 1 2 3 4 5; do echo out $i; echo err $i >&2; done");
      await job.wait();
      const wanted = [1, 2, 3, 4, 5].map((at) => `out ${at}\nerr ${at}\n`).join("");
      check.equal((await job.read()).text, wanted, "the log");
    },
  },
  "log-not-cut": {
    title: "a command that opens /dev/stderr or /dev/stdout cuts nothing off its log",
    rule: "SPEC 4.2",
    async run({ check, session }) {
      const job = await session.jobs.start(
        "echo one; echo two >/dev/stderr; echo three >/dev/stdout; echo four",
      );
      await job.wait();
      check.equal((await job.read()).text, "one\ntwo\nthree\nfour\n", "the log");
    },
  },
  "binary-log": {
    title: "a job's log keeps every byte, NUL and invalid UTF-8 included",
    rule: "SPEC 4.1",
    async run({ check, session }) {
      const job = await session.jobs.start("printf '\\000\\001\\377\\376\\200 \\r\\n\\000end'");
      await job.wait();
      const wanted = Buffer.from("\0\x01\xff\xfe\x80 \r\n\0end", "latin1");
      check.bytes((await job.read()).bytes, wanted, "what was read");
      check.bytes(await joined(job.follow()), wanted, "what was followed");
    },
  },
  "characters-whole": {
    title: "a read of a log that goes on does not cut a character in two",
    rule: "SPEC 3.6",
    async run({ check, session }) {
      const job = await session.jobs.start("printf 'aé€😀é'");
      await job.wait();
      let text = "";
      for (let offset = 0, ended = false; !ended;) {
        const piece = await job.read(offset, { maxBytes: 5 });
        check.excludes(piece.text, "\uFFFD", "a piece");
        check.atLeast(piece.nextOffset, piece.offset + 1, "the next offset");
        ({ nextOffset: offset, ended } = piece);
        text += piece.text;
      }
      check.equal(text, "aé€😀é", "all pieces");
    },
  },
  "follow-live": {
    title: "following a job gives its output as it comes, each byte once, and ends with it",
    rule: "SPEC 4.1, 4.4",
    async run({ check, session, until }) {
      const job = await session.jobs.start("echo one; read go; echo two; exit 3", { stdin: "open" });
      let seen = "";
      const following = (async () => {
        for await (const { offset, bytes } of job.follow()) {
          check.equal(offset, seen.length, "the offset of a piece");
          seen += Buffer.from(bytes).toString("latin1");
        }
      })();
      await until("the first line to arrive", () => seen === "one\n");
      await job.write("go\n");
      await following;
      check.equal(seen, "one\ntwo\n", "all that was followed");
      check.equal((await job.info()).exitCode, 3, "the job's status");
    },
  },
  "follow-from-offset": {
    title: "following can begin at any offset, also after the job's end",
    rule: "SPEC 4.1",
    async run({ check, session }) {
      const job = await session.jobs.start("printf 0123456789");
      await job.wait();
      check.equal(Buffer.from(await joined(job.follow({ offset: 4 }))).toString(), "456789", "from offset 4");
      check.equal((await joined(job.follow({ offset: 10 }))).length, 0, "bytes from the end on");
    },
  },
  "follow-given-up": {
    title: "who stops following leaves the job as it is",
    rule: "DESIGN, decision 12",
    async run({ check, session, mark }) {
      const job = await session.jobs.start(`echo up; sleep ${mark()}`);
      for await (const { bytes } of job.follow()) {
        check.equal(Buffer.from(bytes).toString(), "up\n", "its first output");
        break;
      }
      const controller = new AbortController();
      const following = joined(job.follow({ signal: controller.signal }));
      controller.abort(new Error("enough"));
      const reason = await check.rejected(following, "following with a signal that aborts");
      check.equal(reason instanceof Error ? reason.message : reason, "enough", "what it rejects with");
      check.equal((await job.info()).state, "running", "the job");
      await job.stop({ graceMs: 0 });
    },
  },
  "follow-slow-reader": {
    title: "a reader that is slow holds back neither the job nor loses a byte",
    rule: "DESIGN, decision 9",
    deadlineMs: 60_000,
    async run({ check, session }) {
      const job = await session.jobs.start("head -c 3000000 /dev/zero | tr '\\000' x; echo; echo end");
      let bytesSeen = 0;
      for await (const { offset, bytes } of job.follow()) {
        if (bytesSeen === 0) check.equal((await job.wait()).state, "exited", "the job, while nobody reads");
        check.equal(offset, bytesSeen, "the offset of a piece");
        bytesSeen += bytes.length;
      }
      check.equal(bytesSeen, 3_000_005, "bytes followed");
    },
  },
  "follow-100-mib": {
    title: "a log of 100 MiB is followed whole, in bounded memory of this process",
    rule: "SPEC 4.4; DESIGN, decision 9",
    needs: ["spawn"],
    alone: true,
    deadlineMs: 180_000,
    async run({ check, session }) {
      const size = 100 * 1024 * 1024;
      const job = await session.jobs.start(`head -c ${size} /dev/zero`);
      const before = process.memoryUsage.rss();
      let most = 0;
      let seen = 0;
      for await (const { bytes } of job.follow()) {
        seen += bytes.length;
        most = Math.max(most, process.memoryUsage.rss() - before);
      }
      check.equal(seen, size, "bytes followed");
      check.equal((await job.info()).bytes, size, "bytes of the log");
      check.atMost(most, 96 * 1024 * 1024, "growth of resident memory");
      await session.jobs.remove(job.id);
    },
  },
});

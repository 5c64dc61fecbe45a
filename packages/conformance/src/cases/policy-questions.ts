import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { casesOf } from "../case.js";
import { askedAbout, checkRefused, sessionThatAsks } from "../policy-probe.js";

export const policyQuestionsCases = casesOf("policy", {
  "nobody-to-ask": {
    title: "without anybody to ask a dangerous command is refused, and the refusal says what to do",
    rule: "SPEC 9.1",
    async run(context) {
      const { check } = context;
      const session = await context.openSession({ approvals: { mode: "ask" } });
      const detail = await checkRefused(context, session, askedAbout);
      check.includes(detail, "approve", "what the refusal says");
      check.includes(detail, "approvals.allow", "what the refusal says");
    },
  },
  "answer-once": {
    title: "approved once, a command runs once: the next time it is asked about again",
    rule: "SPEC 9.1",
    async run(context) {
      const { check, folder } = context;
      const trace = `${await folder()}/ran`;
      const { session, asked } = await sessionThatAsks(context, () => "once");
      check.exited(await session.execute(askedAbout(trace)), 0, "the first time");
      check.exited(await session.execute(askedAbout(trace)), 0, "the second time");
      check.equal(asked.length, 2, "questions");
      check.equal(asked[0]?.command, askedAbout(trace), "the command in the question");
      check.equal(asked[0]?.backend, context.backend, "the backend in the question");
      check.printed(await session.execute(`cat ${trace}`), "ran\nran\n", "the traces");
    },
  },
  "answer-session": {
    title:
      "approved for the session, the same text is not asked about again; another one is, and another session asks",
    rule: "SPEC 9.1",
    async run(context) {
      const { check, folder } = context;
      const command = askedAbout(`${await folder()}/ran`);
      const { session, asked } = await sessionThatAsks(context, () => "session");
      check.exited(await session.execute(command), 0, "the first time");
      check.exited(await session.execute(command), 0, "the second time");
      check.equal(asked.length, 1, "questions about the same text");
      check.exited(await session.execute(`${command}; true`), 0, "another text");
      check.equal(asked.length, 2, "questions after another text");
      const other = await sessionThatAsks(context, () => "deny");
      await checkRefused(context, other.session, () => command.replace(/>>.*$/u, ">>/dev/null"));
      check.equal(other.asked.length, 1, "questions of another session");
    },
  },
  "answer-always": {
    title:
      "approved for good, a command is written to the user's configuration and asked about in no later session",
    rule: "SPEC 9.1",
    async run(context) {
      const { check, folder } = context;
      const command = askedAbout(`${await folder()}/ran`);
      const talariaHome = await mkdtemp(join(tmpdir(), "talaria-conformance-home-"));
      try {
        const { session, asked } = await sessionThatAsks(context, () => "always", { talariaHome });
        check.exited(await session.execute(command), 0, "the first time");
        check.exited(await session.execute(command), 0, "the second time");
        check.equal(asked.length, 1, "questions");
        check.includes(
          await readFile(join(talariaHome, "config.yaml"), "utf8"),
          "unset HISTFILE",
          "the configuration",
        );
      } finally {
        await rm(talariaHome, { recursive: true, force: true });
      }
    },
  },
  "answer-deny": {
    title: "whatever is no approval is a refusal, an error of whoever is asked too",
    rule: "SPEC 9.1",
    async run(context) {
      const answers: readonly (() => unknown)[] = [
        () => "deny",
        () => "yes",
        () => undefined,
        () => true,
        () => {
          throw new Error("the terminal is gone");
        },
        () => Promise.reject(new Error("the link is gone")),
      ];
      for (const answer of answers) {
        const { session, asked } = await sessionThatAsks(context, () => answer() as "deny");
        await checkRefused(context, session, askedAbout);
        context.check.equal(asked.length, 1, "questions");
      }
    },
  },
  "answer-never": {
    title: "a question that nobody answers in time is a refusal, and whoever was asked is told",
    rule: "SPEC 9.1",
    async run(context) {
      const { check } = context;
      const { session, asked } = await sessionThatAsks(context, () => new Promise<never>(() => undefined), {
        approvals: { mode: "ask", timeoutMs: 50 },
      });
      const detail = await checkRefused(context, session, askedAbout);
      check.includes(detail, "Nobody answered", "what the refusal says");
      check.equal(asked[0]?.signal.aborted, true, "the signal of the question");
    },
  },
  "same-question": {
    title: "the same question of calls in parallel is put once, and its answer holds for each",
    rule: "SPEC 9.1",
    needs: ["concurrency"],
    async run(context) {
      const { check, folder } = context;
      const trace = `${await folder()}/ran`;
      let answer: (answer: "once") => void = () => undefined;
      const answered = new Promise<"once">((resolve) => (answer = resolve));
      const { session, asked } = await sessionThatAsks(context, () => answered);
      const calls = Promise.all([1, 2, 3].map(() => session.execute(askedAbout(trace))));
      await context.until("the question", () => asked.length > 0);
      answer("once");
      for (const result of await calls) check.exited(result, 0, "a call in parallel");
      check.equal(asked.length, 1, "questions");
      check.printed(await session.execute(`cat ${trace}`), "ran\nran\nran\n", "the traces");
    },
  },
  "cancel-question": {
    title: "a call that is cancelled while its question waits never runs, and takes the question back",
    rule: "DESIGN, decision 12",
    async run(context) {
      const { check, folder, observer } = context;
      const trace = `${await folder()}/ran`;
      const cancel = new AbortController();
      const { session, asked } = await sessionThatAsks(context, () => {
        cancel.abort();
        return new Promise<never>(() => undefined);
      });
      const { outcome } = await session.execute(askedAbout(trace), { signal: cancel.signal });
      check.equal(outcome.kind === "notStarted" && outcome.reason, "cancelled", "reason of the outcome");
      await context.until("the question to be taken back", () => asked[0]?.signal.aborted === true);
      check.exited(await observer.execute(`[ -e ${trace} ]`), 1, "looking for a trace of the command");
      await context.nextCommandWorks(session);
    },
  },
  "denied-keeps-state": {
    title: "a refused command changes nothing of what the session remembers",
    rule: "SPEC 9.1",
    needs: ["state"],
    async run(context) {
      const { check, folder, openSession } = context;
      const path = await folder();
      const session = await openSession({ approvals: { mode: "ask" } });
      check.exited(await session.execute(`cd ${path}; export KEPT=1`), 0);
      await checkRefused(context, session, (trace) => `cd /; export KEPT=2; ${askedAbout(trace)}`);
      check.printed(await session.execute('echo "$PWD $KEPT"'), `${path} 1\n`, "the state");
    },
  },
  "jobs-and-programs": {
    title: "jobs and programs are judged as commands are: refused before anything starts",
    rule: "SPEC 9.1",
    needs: ["spawn"],
    async run(context) {
      const { check, folder, observer, openSession } = context;
      const trace = `${await folder()}/ran`;
      const session = await openSession({ approvals: { mode: "ask", deny: ["uname"] } });
      await check.rejects(
        session.jobs.start(askedAbout(trace)),
        "denied",
        "jobs.start of a dangerous command",
      );
      await check.rejects(
        session.jobs.start(`echo ran >${trace}; uname`),
        "denied",
        "jobs.start against a deny rule",
      );
      await check.rejects(
        session.spawn(["sh", "-c", `echo ran >${trace}; uname`]),
        "denied",
        "spawn against a deny rule",
      );
      check.exited(await observer.execute(`[ -e ${trace} ]`), 1, "looking for a trace");
      check.equal(await session.jobs.list(), [], "jobs");
      await context.nextCommandWorks(session);
    },
  },
});

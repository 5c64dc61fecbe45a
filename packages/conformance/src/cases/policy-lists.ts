import { casesOf } from "../case.js";
import { askedAbout, checkRefused, sessionThatAsks } from "../policy-probe.js";

export const policyListsCases = casesOf("policy", {
  "deny-rule": {
    title: "a deny rule holds before allowances and modes, and nobody is asked",
    rule: "SPEC 9.1",
    async run(context) {
      const { check } = context;
      const { session, asked } = await sessionThatAsks(context, () => "always", {
        approvals: { mode: "off", deny: ["uname*"], allow: ["*"] },
      });
      const detail = await checkRefused(context, session, (trace) => `echo ran >${trace}; uname -a`);
      check.includes(detail, "uname*", "what the refusal says");
      check.equal(asked.length, 0, "questions");
      check.exited(await session.execute("echo uname"), 0, "a command that only names the program");
    },
  },
  "deny-rule-disguised": {
    title: "a deny rule sees through wrappers, quotes and texts for another shell",
    rule: "SPEC 9.1",
    async run(context) {
      const session = await context.openSession({ approvals: { mode: "off", deny: ["uname"] } });
      for (const text of [
        "env A=1 uname -a",
        "/bin/uname",
        "u'na'me",
        "sh -c 'echo a; uname'",
        "echo $(uname)",
        "UNAME=uname; $UNAME",
        "echo a | xargs uname",
      ]) {
        await checkRefused(context, session, (trace) => `echo ran >${trace}; ${text}`);
      }
    },
  },
  "allow-exact": {
    title: "a command that is allowed by its exact text runs without a question",
    rule: "SPEC 9.1",
    async run(context) {
      const { check, folder } = context;
      const command = askedAbout(`${await folder()}/ran`);
      const { session, asked } = await sessionThatAsks(context, () => "deny", {
        approvals: { mode: "ask", allow: [command] },
      });
      check.exited(await session.execute(command), 0, "the command that is allowed");
      check.equal(asked.length, 0, "questions");
    },
  },
  "allow-pattern": {
    title: "a pattern allows the commands that it describes, and none that stands beside them",
    rule: "SPEC 9.1",
    async run(context) {
      const { check, folder } = context;
      const { session } = await sessionThatAsks(context, () => "deny", {
        approvals: { mode: "ask", allow: ["unset HIST*"] },
      });
      check.exited(
        await session.execute(askedAbout(`${await folder()}/ran`)),
        0,
        "the command that is allowed",
      );
      await checkRefused(context, session, (trace) => `${askedAbout(trace)}; false && git reset --hard`);
    },
  },
  "mode-deny": {
    title: "in the mode deny a dangerous command is refused and nobody is asked; a harmless one runs",
    rule: "SPEC 9.1",
    async run(context) {
      const { check } = context;
      const { session, asked } = await sessionThatAsks(context, () => "always", {
        approvals: { mode: "deny" },
      });
      await checkRefused(context, session, askedAbout);
      check.equal(asked.length, 0, "questions");
      check.printed(await session.execute("echo a"), "a\n", "a harmless command");
    },
  },
  "mode-off": {
    title: "in the mode off a dangerous command runs without a question",
    rule: "SPEC 9.1",
    async run(context) {
      const { check, folder } = context;
      const trace = `${await folder()}/ran`;
      const { session, asked } = await sessionThatAsks(context, () => "deny", { approvals: { mode: "off" } });
      check.exited(await session.execute(askedAbout(trace)), 0, "the dangerous command");
      check.printed(await session.execute(`cat ${trace}`), "ran\n", "its trace");
      check.equal(asked.length, 0, "questions");
    },
  },
  harmless: {
    title: "what an agent does every day runs without a question",
    rule: "SPEC 9.1",
    async run(context) {
      const { check, folder } = context;
      const path = await folder();
      const { session, asked } = await sessionThatAsks(context, () => "deny");
      check.exited(await session.execute(`cd ${path}`), 0);
      for (const command of [
        "mkdir -p build/x && rm -rf ./build",
        "echo 'rm -rf /' >notes; grep -c 'rm -rf' notes; rm notes",
        "cat >script <<'E'\nrm -rf /\nE\nchmod +x script; rm -f script",
        "for i in 1 2; do echo $i; done | sort -r",
        "sleep 0 & kill -0 $! 2>/dev/null; wait; true",
        'x=$(mktemp -d) && rm -rf "$x"',
        "f() { echo \"$1\"; }; f a; sh -c 'echo b'",
      ]) {
        check.exited(await session.execute(command), 0, command);
      }
      check.equal(
        asked.map(({ command }) => command),
        [],
        "questions",
      );
    },
  },
});

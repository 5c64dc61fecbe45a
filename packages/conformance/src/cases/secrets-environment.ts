import { allStripEnvKeys } from "@talaria/core";
import { casesOf } from "../case.js";
import { exportedValue } from "../exported-value.js";
import { freshSecret, withHostVariables } from "../planted-secrets.js";
import { readAll } from "../read-all.js";

/** A value for every credential variable of every backend that Talaria knows. */
function credentials(secret: string): Readonly<Record<string, string>> {
  return Object.fromEntries(allStripEnvKeys({}).map((name) => [name, `${name}-${secret}`]));
}

/** Known secrets are taken out of output: changed a little they would not be, and these cases have to see them. */
const changed = (text: string): string => text.replaceAll("-", "+");
const change = "tr -- - +";

/** Prints the environment of every process that may be looked at, each on lines of its own. */
const allEnvironments =
  'for file in /proc/[0-9]*/environ; do [ ! -r "$file" ] || tr "\\0-" "\\n+" <"$file"; done 2>/dev/null; :';

export const secretsEnvironmentCases = casesOf("secrets", {
  "no-backend-credential": {
    title: "no credential variable of any backend reaches a command, its functions or its children",
    rule: "SPEC 9.3",
    alone: true,
    async run({ check, createEnvironment, openSession }) {
      const secret = freshSecret();
      await withHostVariables(credentials(secret), async () => {
        const session = await openSession({ environment: await createEnvironment() });
        const script = `{ env; set; sh -c env; (exec env); } | ${change}`;
        const result = await session.execute(script, { maxOutputBytes: 4_000_000 });
        check.exited(result, 0);
        check.includes(result.output, "PATH=", "the environment that was looked at");
        check.excludes(result.output, changed(secret), "the environment of a command");
        for (const name of allStripEnvKeys({})) {
          check.printed(await session.execute(exportedValue(name)), "unset\n", name);
        }
      });
    },
  },
  "no-backend-credential-spawned": {
    title: "no credential variable of any backend reaches a spawned program",
    rule: "SPEC 9.3",
    needs: ["spawn"],
    alone: true,
    async run({ check, createEnvironment, openSession, waitFor }) {
      const secret = freshSecret();
      await withHostVariables(credentials(secret), async () => {
        const session = await openSession({ environment: await createEnvironment() });
        const program = await session.spawn(["env"]);
        program.stdin.end();
        const output = (await waitFor("the program's output", readAll(program.stdout))).toString();
        check.includes(output, "PATH=", "the environment that was looked at");
        check.excludes(output, secret, "the environment of a spawned program");
        check.excludes(output, "MODAL_TOKEN_SECRET", "the environment of a spawned program");
      });
    },
  },
  "no-backend-credential-on-a-terminal": {
    title: "no credential variable of any backend reaches a program on a terminal",
    rule: "SPEC 9.3",
    needs: ["spawn", "tty"],
    alone: true,
    async run({ check, createEnvironment, openSession, waitFor }) {
      const secret = freshSecret();
      await withHostVariables(credentials(secret), async () => {
        const session = await openSession({ environment: await createEnvironment() });
        const program = await session.spawn(["env"], { tty: { columns: 200, rows: 24 } });
        const output = (await waitFor("the program's output", readAll(program.stdout))).toString();
        check.includes(output, "PATH=", "the environment that was looked at");
        check.excludes(output, secret, "the environment of a program on a terminal");
      });
    },
  },
  "no-credential-in-any-process": {
    title:
      "no process in the sandbox, the machinery around commands included, holds a credential of the host",
    rule: "SPEC 9.3",
    needs: ["concurrency"],
    alone: true,
    async run({ check, createEnvironment, openSession, mark, until, processesSeenBy }) {
      const secret = freshSecret();
      await withHostVariables(credentials(secret), async () => {
        const environment = await createEnvironment();
        const session = await openSession({ environment });
        const other = await openSession({ environment });
        const inside = mark();
        const aborter = new AbortController();
        const running = session.execute(`sleep ${inside}`, { signal: aborter.signal });
        const seen = processesSeenBy(other);
        await until("the command to run", () => seen.isAlive(inside));
        const result = await other.execute(allEnvironments, { maxOutputBytes: 16_000_000 });
        aborter.abort();
        await running;
        check.exited(result, 0);
        check.includes(result.output, "PATH=", "the environments that were looked at");
        check.excludes(result.output, changed(secret), "environments of all processes");
      });
    },
  },
  "unknown-name": {
    title: "a secret of the host under a name that nobody knows does not reach a command either",
    rule: "SPEC 9.3",
    alone: true,
    async run({ check, createEnvironment, openSession }) {
      const secret = freshSecret();
      await withHostVariables({ ACME_LAUNCH_CODE: secret, zzz: secret, LC_ACME: secret }, async () => {
        const session = await openSession({ environment: await createEnvironment() });
        const result = await session.execute(`{ env; set; } | ${change}`, { maxOutputBytes: 4_000_000 });
        check.exited(result, 0);
        check.excludes(result.output, changed(secret), "the environment of a command");
      });
    },
  },
  "given-variable-arrives": {
    title:
      "a secret that a call is given as a variable arrives exactly, is masked where it is printed, and stays in no later call",
    rule: "SPEC 3.7, 9.3",
    async run({ check, openSession }) {
      const secret = `${freshSecret()} 'q' "d" $x`;
      const session = await openSession({ secrets: { CASE_TOKEN: secret } });
      const env = { CASE_TOKEN: secret };
      const length = await session.execute('printf "%s" "${#CASE_TOKEN}"', { env });
      check.printed(length, String(secret.length), "its length");
      const shown = await session.execute('printf "<%s>" "$CASE_TOKEN"', { env });
      check.printed(shown, "<[redacted:CASE_TOKEN]>", "what is shown of it");
      check.printed(await session.execute(exportedValue("CASE_TOKEN")), "unset\n", "the next call");
    },
  },
  "spawned-variable-not-in-arguments": {
    title: "a variable given to a spawned program is not among the arguments of any process",
    rule: "DESIGN, decision 10",
    needs: ["spawn"],
    async run({ check, session, processes, mark, until }) {
      const inside = mark();
      const secret = mark();
      const program = await session.spawn(["sleep", inside], { env: { CASE_TOKEN: `${secret}` } });
      try {
        await until("the program to run", () => processes.isAlive(inside));
        check.equal(await processes.withMark(secret), [], "processes that have it among their arguments");
      } finally {
        await program.kill("SIGKILL");
      }
    },
  },
  "input-arrives": {
    title:
      "a secret given as standard input reaches the program byte by byte, and is masked where it is printed",
    rule: "SPEC 3.5, 9.3",
    needs: ["stdin"],
    async run({ check, openSession }) {
      const secret = freshSecret();
      const session = await openSession({ secrets: { CASE_TOKEN: secret } });
      check.printed(
        await session.execute("wc -c | tr -d ' '", { stdin: secret }),
        `${secret.length}\n`,
        "its length",
      );
      check.printed(
        await session.execute("cat", { stdin: secret }),
        "[redacted:CASE_TOKEN]",
        "what is shown",
      );
    },
  },
});

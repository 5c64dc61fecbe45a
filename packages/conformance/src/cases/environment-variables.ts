import { randomBytes } from "node:crypto";
import { casesOf } from "../case.js";
import { exportedValue } from "../exported-value.js";
import { readAll } from "../read-all.js";

/** Names under which hosts hold credentials. None of them may reach a command, whatever the backend. */
const secretNames = [
  "TALARIA_CONFORMANCE_PLANTED",
  "AWS_SECRET_ACCESS_KEY",
  "GITHUB_TOKEN",
  "OPENAI_API_KEY",
  "ANTHROPIC_API_KEY",
  "MODAL_TOKEN_SECRET",
  "DAYTONA_API_KEY",
  "VERCEL_TOKEN",
  "SUDO_PASSWORD",
  "npm_config__auth",
];

/** Puts a secret into this process's environment for as long as the work takes. */
async function withPlanted<T>(secret: string, work: () => Promise<T>): Promise<T> {
  const before = secretNames.map((name) => [name, process.env[name]] as const);
  for (const name of secretNames) process.env[name] = `${name}-${secret}`;
  try {
    return await work();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

export const environmentVariablesCases = casesOf("environment", {
  "no-host-secret": {
    title: "no credential of the host's environment reaches a command, its shell or the machinery around it",
    rule: "SPEC 9.3",
    alone: true,
    async run({ check, createEnvironment, openSession }) {
      const secret = randomBytes(12).toString("hex");
      await withPlanted(secret, async () => {
        const environment = await createEnvironment();
        const session = await openSession({ environment });
        const result = await session.execute(
          "env; set; for file in /proc/$$/environ /proc/self/environ; do " +
            "[ ! -r $file ] || tr '\\0' '\\n' <$file; done",
          { maxOutputBytes: 4_000_000 },
        );
        check.exited(result, 0);
        check.includes(result.output, "PATH=", "the environment that was looked at");
        check.excludes(result.output, secret, "the environment of a command");
      });
    },
  },
  "no-host-secret-spawned": {
    title: "no credential of the host's environment reaches a spawned program",
    rule: "SPEC 9.3",
    needs: ["spawn"],
    alone: true,
    async run({ check, createEnvironment, openSession, waitFor }) {
      const secret = randomBytes(12).toString("hex");
      await withPlanted(secret, async () => {
        const environment = await createEnvironment();
        const session = await openSession({ environment });
        const program = await session.spawn(["env"]);
        program.stdin.end();
        const output = (await waitFor("the program's output", readAll(program.stdout))).toString();
        check.includes(output, "PATH=", "the environment that was looked at");
        check.excludes(output, secret, "the environment of a spawned program");
      });
    },
  },
  "no-secret-by-name": {
    title: "a program that asks for a credential variable by its name finds it unset",
    rule: "SPEC 9.3",
    alone: true,
    async run({ check, createEnvironment, openSession }) {
      await withPlanted("planted", async () => {
        const session = await openSession({ environment: await createEnvironment() });
        for (const name of secretNames) {
          check.printed(await session.execute(exportedValue(name)), "unset\n", name);
        }
      });
    },
  },
  "secret-not-in-arguments": {
    title:
      "what is given to a command as script, variable or input is not among the arguments of any process",
    rule: "DESIGN, decision 10",
    needs: ["concurrency", "stdin"],
    async run({ check, session, observer, folder, processes, mark, until }) {
      const path = await folder();
      const [inScript, inVariable, inInput] = [mark(), mark(), mark()];
      const running = session.execute(
        `# ${inScript}\n: >${path}/runs; until [ -e ${path}/go ]; do sleep 0.05; done; read -r line; echo "$line"`,
        { env: { TOKEN: inVariable }, stdin: `${inInput}\n` },
      );
      await until("the command to run", async () => {
        return (await observer.execute(`[ -e ${path}/runs ]`)).exitCode === 0;
      });
      for (const secret of [inScript, inVariable, inInput]) {
        check.equal(await processes.withMark(secret), [], "processes that have it among their arguments");
      }
      check.exited(await observer.execute(`: >${path}/go`), 0);
      check.printed(await running, `${inInput}\n`);
    },
  },
  pagers: {
    title: "programs neither page nor ask: PAGER and GIT_PAGER are cat, GIT_TERMINAL_PROMPT is 0",
    rule: "SPEC 3.12",
    async run({ check, session }) {
      const names = ["PAGER", "GIT_PAGER", "GIT_TERMINAL_PROMPT"];
      check.printed(await session.execute(names.map(exportedValue).join("; ")), "cat\ncat\n0\n");
    },
  },
  "defaults-can-be-changed": {
    title: "a call and a session can set their own pager",
    rule: "SPEC 3.7, 3.12",
    needs: ["state"],
    async run({ check, session }) {
      check.printed(
        await session.execute(exportedValue("PAGER"), { env: { PAGER: "less" } }),
        "less\n",
        "the call",
      );
      check.exited(await session.execute("export PAGER=more"), 0);
      check.printed(await session.execute(exportedValue("PAGER")), "more\n", "the next command");
    },
  },
  "term-dumb": {
    title: "without a terminal TERM is dumb",
    rule: "SPEC 3.12",
    async run({ check, session }) {
      check.printed(await session.execute(exportedValue("TERM")), "dumb\n");
    },
  },
  home: {
    title: "HOME is set, is a directory, and is the home that the environment reports",
    rule: "SPEC 2.6",
    async run({ check, session }) {
      const result = await session.execute('printf "%s" "$HOME"; [ -d "$HOME" ]');
      check.printed(result, await session.home());
    },
  },
  path: {
    title: "PATH leads to the usual programs",
    rule: "SPEC 9.3",
    async run({ check, session }) {
      for (const name of ["sh", "ls", "cat", "sed", "env"]) {
        check.exited(await session.execute(`command -v ${name} >/dev/null`), 0, `looking for ${name}`);
      }
    },
  },
  "no-machinery": {
    title: "what runs the commands leaves no variable or function of its own in a program's environment",
    rule: "DESIGN, the warm shell",
    async run({ check, session }) {
      const result = await session.execute("env | sed -n 's/^\\([A-Za-z_0-9%]*\\)=.*/\\1/p'");
      check.exited(result, 0);
      const names = result.output.split("\n").filter((name) => name !== "");
      check.atLeast(names.length, 3, "names in the environment");
      check.equal(
        names.filter((name) => name.startsWith("__") || name.includes("%%")),
        [],
        "names of the machinery",
      );
    },
  },
  user: {
    title: "another account is switched to, or refused as unsupported: never ignored",
    rule: "SPEC 3, execute",
    async run({ check, session, capabilities, nextCommandWorks }) {
      const asOther = (): Promise<unknown> => session.execute("id -un", { user: "nobody" });
      if (capabilities.has("user")) {
        check.printed(await session.execute("id -un", { user: "nobody" }), "nobody\n");
        check.excludes((await session.execute("id -un")).output, "nobody", "account of the next command");
        const error = await check.rejected(
          session.execute("id -un", { user: "no-such-account-of-the-suite" }),
          "an account that does not exist",
        );
        check.that(error instanceof Error && "code" in error, `expected a typed error, got ${String(error)}`);
      } else {
        await check.rejects(asOther(), "unsupported", "asking for another account");
      }
      await nextCommandWorks();
    },
  },
});

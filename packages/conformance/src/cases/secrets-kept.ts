import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readAudit, type AuditEntry } from "@talaria/core";
import { casesOf } from "../case.js";
import { freshSecret } from "../planted-secrets.js";

/** A home of Talaria on the host that goes with the work. */
async function withHome<T>(work: (talariaHome: string) => Promise<T>): Promise<T> {
  const talariaHome = await mkdtemp(join(tmpdir(), "talaria-conformance-home-"));
  try {
    return await work(talariaHome);
  } finally {
    await rm(talariaHome, { recursive: true, force: true });
  }
}

/** Everything under a folder of the host: names and contents. */
async function everythingUnder(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true });
  const texts = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      return (await stat(path)).isFile() ? readFile(path, "latin1") : "";
    }),
  );
  return [...names, ...texts].join("\n");
}

async function auditOf(talariaHome: string): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for await (const entry of readAudit({ talariaHome, kind: "command" })) entries.push(entry);
  return entries;
}

export const secretsKeptCases = casesOf("secrets", {
  "session-file": {
    title: "a named session keeps no secret on the host: under no name, in no function, in no alias",
    rule: "SPEC 3.11, 9.3",
    needs: ["state"],
    async run({ check, openSession }) {
      const secret = freshSecret();
      await withHome(async (talariaHome) => {
        const options = {
          talariaHome,
          session: "secrets-case",
          secrets: { CASE_TOKEN: secret },
          audit: true,
        };
        const session = await openSession(options);
        const script = `export INNOCENT='my ${secret}' KEPT=yes; deploy() { echo ${secret}; }; alias d='echo ${secret}'`;
        check.exited(await session.execute(script), 0);
        await session.close();
        const kept = await everythingUnder(talariaHome);
        check.includes(kept, "KEPT", "what is kept");
        check.excludes(kept, secret, "what is kept");
        const next = await openSession(options);
        check.printed(await next.execute('echo "${KEPT-no} ${INNOCENT-no}"'), "yes no\n");
      });
    },
  },
  "audit-entry": {
    title: "each command has one entry in the audit, with its outcome and without its secrets",
    rule: "SPEC 9.3, audit",
    async run({ check, openSession }) {
      const secret = freshSecret();
      await withHome(async (talariaHome) => {
        const session = await openSession({ talariaHome, audit: true, secrets: { CASE_TOKEN: secret } });
        check.exited(await session.execute(`: ${secret}; echo out-${secret}; exit 3`), 3);
        await session.close();
        const entries = await auditOf(talariaHome);
        check.equal(entries.length, 1, "entries");
        const {
          command,
          outcome,
          exit_code: code,
          output_bytes: bytes,
        } = check.present(entries[0], "the entry");
        check.equal(
          [command, outcome, code],
          [": [redacted:CASE_TOKEN]; echo out-[redacted:CASE_TOKEN]; exit 3", "exited", 3],
          "the entry",
        );
        check.equal(bytes, "out-[redacted:CASE_TOKEN]\n".length, "bytes of output");
        check.excludes(await everythingUnder(talariaHome), secret, "all that was kept");
      });
    },
  },
  "audit-told-by-place": {
    title: "a secret that nobody declared is not in the audit where its place tells what it is",
    rule: "SPEC 9.3, audit",
    async run({ check, openSession }) {
      const secret = freshSecret();
      await withHome(async (talariaHome) => {
        const session = await openSession({ talariaHome, audit: true });
        const texts = [
          `export DB_PASSWORD='${secret}'`,
          `: curl -u bob:${secret} https://x.test`,
          `: -H "Authorization: Bearer ${secret}"`,
          `: postgres://bob:${secret}@db/x`,
          `: login --token ${secret}`,
        ];
        for (const text of texts) check.exited(await session.execute(text), 0, text);
        await session.close();
        check.equal((await auditOf(talariaHome)).length, texts.length, "entries");
        check.excludes(await everythingUnder(talariaHome), secret, "the audit");
      });
    },
  },
  "audit-failed-call": {
    title: "a call that throws has its entry, and neither that nor the error holds the secret it was given",
    rule: "SPEC 9.3, errors and audit",
    async run({ check, openSession }) {
      const secret = freshSecret();
      await withHome(async (talariaHome) => {
        const session = await openSession({ talariaHome, audit: true, secrets: { CASE_TOKEN: secret } });
        const call = session.execute(`echo ${secret}`, { workdir: `/nowhere/${secret}` });
        const error = await check.rejects(call, "workdir", "a missing directory");
        const { message, hint, stack, cause } = error;
        check.excludes(JSON.stringify([message, hint, stack, String(cause)]), secret, "the error");
        await session.close();
        const [entry] = await auditOf(talariaHome);
        check.equal(entry?.["outcome"], "failed", "outcome in the audit");
        check.excludes(await everythingUnder(talariaHome), secret, "the audit");
      });
    },
  },
  "audit-private-and-off": {
    title: "the audit is readable by nobody else, and is not there when it is turned off",
    rule: "SPEC 9.3, audit",
    async run({ check, openSession }) {
      await withHome(async (talariaHome) => {
        const silent = await openSession({ talariaHome, audit: false });
        check.exited(await silent.execute("true"), 0);
        await silent.close();
        check.equal(await readdir(talariaHome), [], "files without an audit");
        const session = await openSession({ talariaHome, audit: true });
        check.exited(await session.execute("true"), 0);
        await session.close();
        const names = await readdir(join(talariaHome, "audit"));
        check.equal(names.length, 1, "files of the audit");
        for (const path of ["audit", join("audit", names[0] ?? "")]) {
          check.equal(
            (await stat(join(talariaHome, path))).mode & 0o077,
            0,
            `what others may do with ${path}`,
          );
        }
      });
    },
  },
  "left-process": {
    title: "the command line of a process that was left running is told without the secret in it",
    rule: "SPEC 3.9, 9.3",
    needs: ["kill"],
    async run({ check, openSession, mark }) {
      const secret = freshSecret();
      const session = await openSession({ secrets: { CASE_TOKEN: secret } });
      const inside = mark();
      const result = await session.execute(`sh -c 'sleep ${inside}; :' ${secret} & :`);
      check.exited(result, 0);
      const background = check.present(result.background, "the processes that were left");
      check.includes(JSON.stringify(background), inside, "their command lines");
      check.excludes(JSON.stringify(result), secret, "the result");
    },
  },
  "refused-command": {
    title: "a command that is refused is not shown with its secret",
    rule: "SPEC 9.1, 9.3",
    async run({ check, openSession }) {
      const secret = freshSecret();
      await withHome(async (talariaHome) => {
        const session = await openSession({
          talariaHome,
          audit: true,
          secrets: { CASE_TOKEN: secret },
          // A harmless command that a rule of this case refuses: it may run where a backend gets it wrong.
          approvals: { deny: ["printf *"] },
        });
        const result = await session.execute(`printf %s ${secret}`);
        check.equal(result.outcome.kind, "notStarted", "the outcome");
        check.excludes(JSON.stringify(result), secret, "the result");
        await session.close();
        check.excludes(await everythingUnder(talariaHome), secret, "the audit");
      });
    },
  },
});

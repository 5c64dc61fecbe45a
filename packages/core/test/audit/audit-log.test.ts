import { execFile } from "node:child_process";
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { AuditedCommand, AuditEvent } from "../../src/audit/audit-event.js";
import type { AuditEntry } from "../../src/audit/audit-entry.js";
import { AuditLog, type AuditLogOptions } from "../../src/audit/audit-log.js";
import { readAudit, type ReadAuditOptions } from "../../src/audit/read-audit.js";
import { verifyAudit } from "../../src/audit/verify-audit.js";
import { Redactor } from "../../src/secrets/redactor.js";

const value = "S3cret-of-the-house";
const origin = { backend: "local", session: "work", sandboxId: "here" };

let home = "";
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "talaria-audit-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
});

function openLog(options: Partial<AuditLogOptions> = {}): AuditLog {
  const log = new AuditLog({
    talariaHome: home,
    redactor: new Redactor([{ name: "HOUSE", value }]),
    onWarning: (warning) => expect.unreachable(warning),
    ...options,
  });
  onTestFinished(() => log.close());
  return log;
}

function command(text: string, more: Partial<AuditedCommand> = {}): AuditEvent {
  return {
    ...origin,
    kind: "command",
    operation: "execute",
    command: text,
    cwd: "/work",
    outcome: "exited",
    exitCode: 0,
    durationMs: 1.23456,
    outputBytes: 10,
    ...more,
  };
}

async function entries(options: Partial<ReadAuditOptions> = {}): Promise<AuditEntry[]> {
  const all: AuditEntry[] = [];
  for await (const entry of readAudit({ talariaHome: home, ...options })) all.push(entry);
  return all;
}

const files = async (): Promise<string[]> => (await readdir(join(home, "audit"))).toSorted();

describe("AuditLog", () => {
  it("writes one line of snake_case JSON for each event, without secrets", async () => {
    const log = openLog();
    log.record(command(`deploy --key ${value}; API_TOKEN=abcdefg1 run`, { user: "bob" }));
    log.record({ ...origin, kind: "file", operation: "write", path: `/x/${value}`, bytes: 3 });
    await log.close();
    const [first, second] = await entries();
    expect(first).toMatchObject({
      schema: 1,
      kind: "command",
      operation: "execute",
      backend: "local",
      session: "work",
      sandbox_id: "here",
      command: "deploy --key [redacted:HOUSE]; API_TOKEN=[redacted:API_TOKEN] run",
      cwd: "/work",
      user: "bob",
      outcome: "exited",
      exit_code: 0,
      duration_ms: 1.235,
      output_bytes: 10,
      seq: 1,
      prev: null,
    });
    expect(first?.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(second).toMatchObject({ kind: "file", path: "/x/[redacted:HOUSE]", bytes: 3, seq: 2 });
  });

  it("is private to the user", async () => {
    const log = openLog();
    log.record(command("true"));
    await log.close();
    expect((await stat(join(home, "audit"))).mode & 0o777).toBe(0o700);
    expect((await stat(join(home, "audit", "audit-00000001.jsonl"))).mode & 0o777).toBe(0o600);
  });

  it("cuts a text that is too long between characters, after secrets are taken out, and says so", async () => {
    const log = openLog();
    log.record(command(`${"x".repeat(4_090)}${value}${"😀".repeat(10_000)}`));
    log.record(command("y".repeat(1_000_000)));
    await log.close();
    const [first, second] = await entries();
    expect(first?.["command"]).toMatch(/^x{4090}\[redac… \[\d+ characters left out\]$/);
    expect(String(second?.["command"]).length).toBeLessThan(4_200);
  });

  it("writes nothing and makes no folder when it is off", async () => {
    const log = openLog({ isEnabled: false });
    log.record(command("true"));
    log.begin(origin, { kind: "command", operation: "execute", command: "x", cwd: null })({
      outcome: "exited",
      exitCode: 0,
      durationMs: 1,
    });
    await log.close();
    expect(await readdir(home)).toEqual([]);
  });

  it("does nothing while the caller works: the line is written later, by itself", async () => {
    const log = openLog();
    log.record(command("true"));
    expect(await readdir(home)).toEqual([]);
    await expect.poll(() => entries(), { timeout: 10_000 }).toHaveLength(1);
  });

  it("makes an entry at the start of what runs long, and one at its end", async () => {
    const log = openLog();
    const end = log.begin(origin, { kind: "command", operation: "execute", command: "sleep", cwd: "/" });
    await expect.poll(() => entries(), { timeout: 20_000, interval: 200 }).toHaveLength(1);
    end({ outcome: "exited", exitCode: 3, durationMs: 2_500 });
    await log.close();
    expect(await entries()).toMatchObject([
      { phase: "start", outcome: "running", exit_code: null },
      { outcome: "exited", exit_code: 3 },
    ]);
  }, 30_000);

  it("goes on in a new file when one is full, and removes the oldest", async () => {
    const log = openLog({ maxFileBytes: 1_000, maxFiles: 3 });
    for (let count = 1; count <= 12; count++) {
      log.record(command(`number ${count} ${"z".repeat(600)}`));
      await log.flush();
    }
    const names = await files();
    expect(names).toHaveLength(3);
    expect(names.at(-1)).toBe("audit-00000006.jsonl");
    const found = await entries();
    expect(String(found.at(-1)?.["command"])).toMatch(/^number 12 /);
    expect(found.map(({ seq }) => seq)).toEqual([7, 8, 9, 10, 11, 12]);
    expect(await verifyAudit(home)).toEqual({ entries: 6, problems: [] });
  });

  it("goes on in a new file when its own was removed", async () => {
    const log = openLog();
    log.record(command("one"));
    await log.flush();
    await rm(join(home, "audit"), { recursive: true });
    log.record(command("two"));
    await log.flush();
    expect((await entries()).map(({ seq }) => seq)).toEqual([2]);
  });

  it("warns once when it cannot be written, and goes on without failing", async () => {
    await writeFile(join(home, "audit"), "not a folder");
    const warnings: string[] = [];
    const log = openLog({ onWarning: (warning) => warnings.push(warning) });
    for (const text of ["one", "two"]) {
      log.record(command(text));
      await log.flush();
    }
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("audit.enabled");
  });

  it("refuses a folder that others can write to", async () => {
    await mkdir(join(home, "audit"));
    await chmod(join(home, "audit"), 0o777);
    const warnings: string[] = [];
    const log = openLog({ onWarning: (warning) => warnings.push(warning) });
    log.record(command("one"));
    await log.flush();
    expect(warnings.join()).toContain("not private");
    expect(await files()).toEqual([]);
  });

  it("counts what it had to drop when more comes than can wait", async () => {
    const log = openLog();
    for (let count = 0; count < 10_050; count++) log.record(command("true"));
    await log.close();
    const found = await entries({ limit: 2 });
    expect(found).toMatchObject([{ kind: "command" }, { kind: "gap", dropped: 50 }]);
    expect((await verifyAudit(home)).problems).toEqual([]);
  });

  it("writes what waits when the process ends without closing it, in several processes at once", async () => {
    const script = `
      import { AuditLog } from ${JSON.stringify(new URL("../../dist/index.js", import.meta.url).href)};
      const log = new AuditLog({ talariaHome: ${JSON.stringify(home)}, redactor: { redact: (text) => text } });
      for (let count = 0; count < 200; count++) {
        log.record({ backend: "b", session: process.argv[1], sandboxId: "s", kind: "session", operation: "open" });
        if (count % 20 === 0) await log.flush();
      }
      process.exit(7);`;
    const run = promisify(execFile);
    await Promise.all(
      ["a", "b", "c"].map(async (name) => {
        const failure: unknown = await run(process.execPath, [
          "--input-type=module",
          "-e",
          script,
          name,
        ]).catch((error: unknown) => error);
        expect(failure).toMatchObject({ code: 7 });
      }),
    );
    for (const session of ["a", "b", "c"]) expect(await entries({ session })).toHaveLength(200);
    expect(await verifyAudit(home)).toEqual({ entries: 600, problems: [] });
  }, 30_000);
});

describe("verifyAudit", () => {
  async function written(): Promise<string> {
    const log = openLog();
    for (const text of ["one", "two", "three"]) log.record(command(text));
    await log.close();
    return join(home, "audit", "audit-00000001.jsonl");
  }

  it("finds nothing wrong with what was written", async () => {
    await written();
    expect(await verifyAudit(home)).toEqual({ entries: 3, problems: [] });
  });

  it("shows an entry that was changed, one that is gone and a line that is none", async () => {
    const path = await written();
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace('"command":"one"', '"command":"ten"'));
    expect((await verifyAudit(home)).problems).toEqual([
      "audit-00000001.jsonl:2: the entry before this one was changed",
    ]);
    await writeFile(path, text.split("\n").toSpliced(1, 1).join("\n"));
    expect((await verifyAudit(home)).problems).toEqual([
      "audit-00000001.jsonl:2: entries before this one are missing",
    ]);
    await writeFile(path, `${text}{"torn`);
    expect((await verifyAudit(home)).problems).toEqual(["audit-00000001.jsonl:4: this line is no entry"]);
  });
});

describe("readAudit", () => {
  it("is empty where nothing was ever written", async () => {
    expect(await entries()).toEqual([]);
  });

  it("filters by session, kind and time, and gives the last ones of what is left", async () => {
    const log = openLog();
    log.record(command("one"));
    log.record({ ...command("two"), session: "other" });
    log.record({ ...origin, kind: "job", operation: "start", jobId: "j1", command: "run" });
    await log.flush();
    const middle = new Date();
    await expect.poll(() => Date.now()).toBeGreaterThan(middle.getTime());
    log.record(command("three"));
    await log.close();
    const texts = async (options: Partial<ReadAuditOptions>): Promise<unknown[]> =>
      (await entries(options)).map((entry) => entry["command"]);
    expect(await texts({ session: "work" })).toEqual(["one", "run", "three"]);
    expect(await texts({ kind: "job" })).toEqual(["run"]);
    expect(await texts({ since: new Date(middle.getTime() + 1) })).toEqual(["three"]);
    expect(await texts({ limit: 2 })).toEqual(["run", "three"]);
    expect(await texts({ kind: "command", limit: 1 })).toEqual(["three"]);
  });

  it("leaves out what is torn and what a newer version wrote", async () => {
    const log = openLog();
    log.record(command("one"));
    await log.close();
    const path = join(home, "audit", "audit-00000001.jsonl");
    await appendFile(path, '{"schema":2,"time":"x"}\n{"schema":1,\nnull\n\n');
    expect(await entries()).toHaveLength(1);
  });

  it("follows from an audit that is not there yet over new files, until aborted", async () => {
    const aborter = new AbortController();
    const seen: unknown[] = [];
    const reading = (async () => {
      const options = { talariaHome: home, follow: true, signal: aborter.signal };
      for await (const entry of readAudit(options)) seen.push(entry["command"]);
    })();
    const log = openLog({ maxFileBytes: 300, maxFiles: 50 });
    const wanted = ["one", "two", "three", "four", "five"];
    for (const [index, text] of wanted.entries()) {
      log.record(command(text));
      await log.flush();
      await expect.poll(() => seen.length, { timeout: 10_000 }).toBe(index + 1);
    }
    aborter.abort();
    await reading;
    expect(seen).toEqual(wanted);
    expect((await files()).length).toBeGreaterThan(2);
  }, 30_000);
});

describe("a file that ends within a line", () => {
  it("costs that line and not the next writer's", async () => {
    const first = openLog();
    first.record(command("before"));
    await first.close();
    const [name = ""] = await readdir(join(home, "audit"));
    await appendFile(join(home, "audit", name), '{"schema":1,"ti');
    const second = openLog();
    second.record(command("after"));
    await second.close();
    expect((await entries()).map((entry) => entry["command"])).toEqual(["before", "after"]);
  });
});

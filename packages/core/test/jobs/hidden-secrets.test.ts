import { afterAll, beforeAll, expect, it } from "vitest";
import { SessionJobs } from "../../src/jobs/session-jobs.js";
import { outputFilter } from "../../src/secrets/output-filter.js";
import type { ByteFilter } from "../../src/secrets/stream-redactor.js";
import { HostEnvironment } from "../shell/host-environment.js";
import { HostAccess } from "./host-access.js";

const secret = "Zq7pLm2xVt9RkWb4YcNd";
const rules = { values: [{ name: "VAULT", value: secret }], patterns: false };

class GuardedAccess extends HostAccess {
  override redact(text: string): string {
    return text.replaceAll(secret, "[redacted:VAULT]");
  }

  override outputFilter(): ByteFilter | undefined {
    return outputFilter(rules);
  }
}

let environment: HostEnvironment;
let access: GuardedAccess;
let jobs: SessionJobs;

beforeAll(() => {
  environment = new HostEnvironment({ PATH: process.env["PATH"], HOME: "/tmp" });
  access = new GuardedAccess(environment);
  jobs = new SessionJobs(access);
});

afterAll(async () => {
  await jobs.close();
  await access.run(`rm -rf /tmp/talaria-${process.getuid?.() ?? 0}/${access.sessionName}`, { workdir: "/" });
  await environment.cleanup();
});

/** Prints the secret without having it in the command's text. */
const print = `printf 'key=%s%s' ${secret.slice(0, 9)} ${secret.slice(9)}`;

it("a log that is read in pieces smaller than a secret does not show the secret", async () => {
  const job = await jobs.start(`${print}; echo; echo after`);
  await job.wait();
  let shown = "";
  for (let offset = 0, ended = false; !ended;) {
    const read = await job.read(offset, { maxBytes: 4 });
    expect(read.nextOffset).toBeGreaterThan(offset);
    shown += read.text;
    ({ nextOffset: offset, ended } = read);
  }
  expect(shown).toBe("key=[redacted:VAULT]\nafter\n");
});

it("the beginning of a secret at the end of a running job's log is held back until more has come", async () => {
  const job = await jobs.start(`printf ${secret.slice(0, 9)}; read go; printf ${secret.slice(9)}`, {
    stdin: "open",
  });
  await job.waitForLog(secret.slice(0, 9));
  const begun = await job.read();
  expect(begun).toMatchObject({ text: "", nextOffset: 0, ended: false });
  await job.write("\n");
  await job.wait();
  expect(await job.read(begun.nextOffset)).toMatchObject({ text: "[redacted:VAULT]", ended: true });
});

it("a line that was waited for is shown without the secret it has", async () => {
  const job = await jobs.start(`${print}; echo`);
  const { line, groups } = await job.waitForLog(/key=(\w+)/);
  expect(line).toBe("key=[redacted:VAULT]");
  expect(groups).toEqual(["key=[redacted:VAULT]", "[redacted:VAULT]"]);
});

it("what is told of a job has its command without a secret, and the same key still finds it", async () => {
  const first = await jobs.start(`echo ${secret}`, { key: "with-secret", label: secret });
  const again = await jobs.start(`echo ${secret}`, { key: "with-secret" });
  expect(again.id).toBe(first.id);
  expect(await first.wait()).toMatchObject({ command: "echo [redacted:VAULT]", label: "[redacted:VAULT]" });
  expect(JSON.stringify(await jobs.list())).not.toContain(secret);
});

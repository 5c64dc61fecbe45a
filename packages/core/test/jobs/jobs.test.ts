import { createServer } from "node:net";
import { once } from "node:events";
import { writeFile, readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JobEvent } from "../../src/jobs/job-event.js";
import { SessionJobs } from "../../src/jobs/session-jobs.js";
import { HostEnvironment } from "../shell/host-environment.js";
import { HostAccess } from "./host-access.js";

let environment: HostEnvironment;
let access: HostAccess;
let jobs: SessionJobs;
let folder: string;

beforeAll(() => {
  environment = new HostEnvironment({ PATH: process.env["PATH"], HOME: "/tmp" });
  access = new HostAccess(environment);
  jobs = new SessionJobs(access);
  folder = `/tmp/talaria-${process.getuid?.() ?? 0}/${access.sessionName}/jobs`;
});

afterAll(async () => {
  await jobs.stopAll({ graceMs: 0 });
  await jobs.close();
  await access.run(`rm -rf ${folder}`, { workdir: "/" });
  await environment.cleanup();
});

const code = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "resolved",
    (error: unknown) => (error as { code: string }).code,
  );

describe("a job", () => {
  it("is admitted by the policy before it starts, and reported", async () => {
    const job = await jobs.start("exit 0");
    await job.wait();
    expect(access.admitted).toContain("exit 0");
    expect(access.events).toContainEqual({
      kind: "job",
      operation: "start",
      jobId: job.id,
      command: "exit 0",
    });
    await expect
      .poll(() =>
        access.events.find(
          (event) => event.kind === "job" && event.operation === "end" && event.jobId === job.id,
        ),
      )
      .toMatchObject({ exitCode: 0 });
  });

  it("never truncates its log, whatever the command opens", async () => {
    const job = await jobs.start("echo one; echo two >/dev/stderr; echo three >/dev/stdout; echo four");
    await job.wait();
    expect((await job.read()).text).toBe("one\ntwo\nthree\nfour\n");
  });

  it("ends while something it left in the background still writes, and what that writes can be read", async () => {
    const job = await jobs.start("(sleep 0.6; echo late) & echo early");
    expect((await job.wait()).state).toBe("exited");
    let followed = "";
    for await (const { bytes } of job.follow()) followed += Buffer.from(bytes).toString();
    expect(followed).toBe("early\n");
    await expect.poll(async () => (await job.read(6)).text, { timeout: 5_000 }).toBe("late\n");
  });

  it("does not ignore INT, as what a shell runs in the background would", async () => {
    const job = await jobs.start("echo up; exec sleep 30");
    await job.waitForLog("up");
    await job.signal("INT");
    expect(await job.wait()).toMatchObject({ state: "signaled", signal: "SIGINT", exitCode: 130 });
  });

  it("that exits with a number above 128 is exited, and not ended by a signal", async () => {
    for (const status of [130, 137, 143, 255]) {
      const job = await jobs.start(`exit ${status}`);
      expect(await job.wait()).toMatchObject({ state: "exited", signal: null, exitCode: status });
    }
    const exec = await jobs.start("exec sh -c 'exit 137'");
    expect(await exec.wait()).toMatchObject({ state: "exited", exitCode: 137 });
  });

  it("is lost when its supervisor is killed, never exit 0, and still can be stopped", async () => {
    const job = await jobs.start("echo up; sleep 1003; exit 0");
    await job.waitForLog("up");
    const [supervisor = ""] = (await readFile(`${folder}/${job.id}/supervisor`, "utf8")).split(" ");
    const ended = job.wait({ timeoutMs: 15_000 });
    process.kill(Number(supervisor), "SIGKILL");
    expect(await ended).toMatchObject({ state: "lost", exitCode: null });
    expect(await job.stop({ graceMs: 500 })).toEqual({ killed: "all", survivors: [] });
  });

  it("whose supervisor's pid is another process's by now is lost", async () => {
    const job = await jobs.start("sleep 1004");
    const file = `${folder}/${job.id}/supervisor`;
    const written = await readFile(file, "utf8");
    const [pid, start, boot] = written.trim().split(" ");
    await writeFile(file, `${pid} ${Number(start) - 1} ${boot}\n`);
    expect((await job.info()).state).toBe("lost");
    await writeFile(file, `${pid} ${start} 00000000-0000-0000-0000-000000000000\n`);
    expect((await job.info()).state).toBe("lost");
    await writeFile(file, written);
    expect((await job.info()).state).toBe("running");
    await job.stop({ graceMs: 0 });
  });

  it("is never signalled by a pid that is another's: stop and signal leave a stranger alone", async () => {
    const job = await jobs.start("sleep 1005");
    const stranger = await jobs.start("sleep 1006");
    const [pid, start] = (await readFile(`${folder}/${stranger.id}/pid`, "utf8")).split(" ");
    await writeFile(`${folder}/${job.id}/pid`, `${pid} ${Number(start) + 1} 0\n`);
    expect(await code(job.signal("KILL"))).toBe("job_ended");
    expect((await job.stop({ graceMs: 200 })).survivors).toEqual([]);
    expect((await stranger.info()).state).toBe("running");
    await stranger.stop({ graceMs: 0 });
  });

  it("started by many at once with one key runs once", async () => {
    const file = `${folder}/once`;
    const others = Array.from(
      { length: 4 },
      () => new SessionJobs(new HostAccess(environment, access.sessionName)),
    );
    const started = await Promise.all(
      others.map((one) => one.start(`echo ran >>${file}; sleep 0.1`, { key: "race" })),
    );
    expect(new Set(started.map(({ id }) => id)).size).toBe(1);
    await started[0]?.wait();
    await Promise.all(others.map((one) => one.close()));
    expect(await readFile(file, "utf8")).toBe("ran\n");
  });

  it("whose start died half-way is taken over by the next one with its key", async () => {
    const { startJob } = await import("../../src/jobs/start-job.js");
    const { Journal } = await import("../../src/jobs/journal.js");
    const failing = new HostAccess(environment, access.sessionName);
    const run = failing.run.bind(failing);
    failing.run = (script, options) =>
      options?.shell === "session" ? Promise.reject(new Error("the host died here")) : run(script, options);
    await expect(startJob(new Journal(failing), "echo taken over", { key: "half" })).rejects.toThrow(
      "died here",
    );
    const job = await jobs.start("echo taken over", { key: "half" });
    expect(await job.wait()).toMatchObject({ state: "exited", exitCode: 0, key: "half" });
    expect((await job.read()).text).toBe("taken over\n");
  });

  it("tells of lines that match, once in an interval, and counts the others", async () => {
    const seen: JobEvent[] = [];
    const listening = (async () => {
      for await (const event of jobs.events()) {
        if (event.kind === "match") seen.push(event);
        if (event.kind === "end" && seen.length > 0) return;
      }
    })();
    const job = await jobs.start("echo ready 1; echo ready 2; echo other; echo ready 3", {
      watch: [{ pattern: /ready (\d)/ }],
    });
    await job.wait();
    await listening;
    expect(seen).toEqual([
      { kind: "match", jobId: job.id, pattern: "/ready (\\d)/", line: "ready 1", offset: 0, suppressed: 0 },
    ]);
  });

  it("is waited for by a port that it opens, and the wait fails when it ends first", async () => {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const job = await jobs.start("sleep 30");
    await job.waitForPort(port, { timeoutMs: 5_000 });
    await new Promise((resolve) => server.close(resolve));
    expect(await code(job.waitForPort(port, { timeoutMs: 200 }))).toBe("job_invalid");
    const waiting = code(job.waitForPort(port));
    await job.stop({ graceMs: 0 });
    expect(await waiting).toBe("job_ended");
  });

  it("has its beginning of an id resolved when it is the only one", async () => {
    const job = await jobs.start("exit 0");
    expect((await jobs.get(job.id.slice(0, 8))).id).toBe(job.id);
    expect(await code(jobs.get("ffffffffffff"))).toBe("job_not_found");
    expect(await code(jobs.get("not an id"))).toBe("job_not_found");
  });

  it("costs one round trip to list, however many there are", async () => {
    const counted = new HostAccess(environment, access.sessionName);
    const others = new SessionJobs(counted);
    await others.list();
    const before = counted.runs;
    expect((await others.list()).length).toBeGreaterThan(5);
    expect(counted.runs - before).toBe(1);
  });

  it("is forgotten by remove once it has ended, and not before", async () => {
    const job = await jobs.start("sleep 30");
    expect(await code(jobs.remove(job.id))).toBe("job_invalid");
    await job.stop({ graceMs: 0 });
    await jobs.remove(job.id);
    expect(await code(job.info())).toBe("job_not_found");
    expect(await code(job.read())).toBe("job_not_found");
    expect(await code(job.stop())).toBe("job_not_found");
  });

  it("refuses what makes no sense, before anything runs", async () => {
    expect(await code(jobs.start("  "))).toBe("invalid_argument");
    expect(await code(jobs.start("a\0b"))).toBe("invalid_argument");
    expect(await code(jobs.start("true", { key: "../x" }))).toBe("invalid_argument");
    expect(await code(jobs.start("true", { label: "two\nlines" }))).toBe("invalid_argument");
    expect(await code(jobs.start("true", { tty: { columns: 0, rows: 1 } }))).toBe("invalid_argument");
    const job = await jobs.start("true");
    expect(await code(job.signal("NOPE"))).toBe("invalid_argument");
    expect(await code(job.signal("TERM; rm"))).toBe("invalid_argument");
    expect(await code(job.read(-1))).toBe("job_invalid");
    expect(await code(job.write("x"))).toBe("job_invalid");
  });

  it("says that its log has gaps when the disk was full", async () => {
    const job = await jobs.start("echo up; sleep 0.2; exit 0");
    await writeFile(`${folder}/${job.id}/log-failed`, "");
    expect((await job.wait()).logComplete).toBe(false);
  });
});

import { statSync, writeFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "../support/processes.js";
import { runCli, startCli, temporaryFolder, type CliRun } from "../support/run-cli.js";

interface JobHome {
  readonly home: string;
  /** `talaria jobs …`, its first word the subcommand. */
  readonly jobs: (subcommand: string, ...words: string[]) => Promise<CliRun>;
  /** Starts a job and returns its id. */
  readonly start: (...words: string[]) => Promise<string>;
  readonly options: { readonly cwd: string };
  readonly session: string;
}

/**
 * A home, and a session of its own: journals are in the sandbox, which on `local` all homes share. Its jobs are stopped
 * and forgotten with the test, which they would outlive.
 */
function jobHome(session = `cli-test-${randomUUID().slice(0, 8)}`): JobHome {
  const home = temporaryFolder();
  const options = { cwd: home };
  const started = new Set<string>();
  const jobs: JobHome["jobs"] = (subcommand, ...words) =>
    runCli(home, ["jobs", subcommand, ...(session === "default" ? [] : ["-s", session]), ...words], options);
  onTestFinished(async () => {
    if (started.size === 0) return;
    await jobs("stop", "-q", "--grace-ms", "0", ...started);
    await jobs("remove", "-q", ...started);
  });
  const start: JobHome["start"] = async (...words) => {
    const run = await jobs("start", ...words);
    expect(run.status, run.stderr).toBe(0);
    const id = run.stdout.trim();
    started.add(id);
    return id;
  };
  return { home, jobs, start, options, session };
}

describe("a job", () => {
  it("is seen by another process by the session's name alone, and by the beginning of its id", async () => {
    const { jobs, start } = jobHome();
    const id = await start("--label", "sleeper", "--", "echo working; exec sleep 60");
    const { stdout } = await jobs("list");
    expect(stdout).toMatch(/^job +state +exit +age +output +command$/m);
    expect(stdout).toMatch(new RegExp(`^${id} +running +- .*sleeper: echo working`, "m"));
    const shown = await jobs("show", "--json", id.slice(0, -1));
    expect(JSON.parse(shown.stdout)).toMatchObject({
      schema: 1,
      id,
      state: "running",
      label: "sleeper",
      exit_code: null,
    });
  });

  it("belongs to the session `default` when none is named, and to no other", async () => {
    const { home, jobs, start, options } = jobHome("default");
    const id = await start("--", "exec sleep 60");
    expect(JSON.parse((await jobs("list", "--json")).stdout)).toMatchObject({
      session: "default",
      jobs: expect.arrayContaining([expect.objectContaining({ id })]) as unknown,
    });
    const other = await runCli(home, ["jobs", "show", "-s", "other", id], options);
    expect(other.status).toBe(1);
    expect(other.stderr).toContain(id);
  });

  it("of the session nobody named starts where the caller is, each time anew", async () => {
    const { home, jobs, start } = jobHome("default");
    const other = temporaryFolder();
    await start("--", "true");
    const run = await runCli(home, ["jobs", "start", "--", "pwd"], { cwd: other });
    const id = run.stdout.trim();
    await jobs("wait", id);
    expect((await jobs("logs", id)).stdout).toBe(`${other}\n`);
    await jobs("remove", id);
  });

  it("starts where the caller is, with the variables of the call", async () => {
    const { home, jobs, start } = jobHome();
    const id = await start("--env", "A=two words", "--", 'pwd; echo "$A"');
    await jobs("wait", id);
    expect((await jobs("logs", id)).stdout).toBe(`${home}\ntwo words\n`);
  });

  it("is waited for with its exit status", async () => {
    const { jobs, start } = jobHome();
    expect((await jobs("wait", await start("--", "exit 7"))).status).toBe(7);
    expect((await jobs("wait", await start("--", "kill -TERM $BASHPID"))).status).toBe(143);
    const endless = await start("--", "exec sleep 60");
    const late = await jobs("wait", "--timeout-ms", "200", endless);
    expect(late.status).toBe(124);
    expect(late.stderr).toMatch(/still runs/);
    expect((await jobs("wait", "nothing")).status).toBe(125);
  });

  it("is started once for one key, whoever asks again", async () => {
    const { home, jobs, start } = jobHome();
    const words = ["--key", "k-1", "--", `echo x >> ${join(home, "runs")}; sleep 0.1`];
    const [first, second] = [await start(...words), await start(...words)];
    expect(second).toBe(first);
    await jobs("wait", first);
    expect(JSON.parse((await jobs("list", "--json")).stdout)).toMatchObject({
      jobs: [{ id: first, key: "k-1" }],
    });
  });

  it("is written to, and ends when its stdin is closed", async () => {
    const { jobs, start } = jobHome();
    const id = await start("--stdin", "--", "cat; echo end");
    expect((await jobs("write", id, "one")).status).toBe(0);
    expect((await jobs("write", "--no-newline", "--close", id, "two")).status).toBe(0);
    expect((await jobs("wait", id)).status).toBe(0);
    expect((await jobs("logs", id)).stdout).toBe("one\ntwoend\n");
  });

  it("gets a signal, and is stopped with everything it started", async () => {
    const { jobs, start } = jobHome();
    const id = await start("--", "trap 'echo got it' USR1; echo ready; while :; do sleep 0.05; done");
    expect((await jobs("wait", "--log", "ready", id)).status).toBe(0);
    await jobs("signal", id, "USR1");
    expect((await jobs("wait", "--log", "got it", id)).status).toBe(0);
    const stopped = await jobs("stop", "--json", id);
    expect(stopped.status, stopped.stderr).toBe(0);
    expect(JSON.parse(stopped.stdout)).toMatchObject({ stopped: [{ id, survivors: [] }], failures: [] });
    expect(JSON.parse((await jobs("show", "--json", id)).stdout)).toMatchObject({ state: "stopped" });
  });

  it("is forgotten only when it has ended", async () => {
    const { jobs, start } = jobHome();
    const id = await start("--", "exec sleep 60");
    expect((await jobs("remove", id)).status).toBe(1);
    await jobs("stop", id);
    expect((await jobs("remove", id)).status).toBe(0);
    expect(JSON.parse((await jobs("list", "--json")).stdout)).toMatchObject({ jobs: [] });
  });

  it("that is dangerous is refused with 125 unless it is approved", async () => {
    const { home, jobs, start } = jobHome();
    const path = join(home, "precious");
    writeFileSync(path, "x", { mode: 0o600 });
    const refused = await jobs("start", "--", "chmod 777 precious");
    expect(refused).toMatchObject({ status: 125, stdout: "" });
    expect(refused.stderr).toMatch(/world_writable[^]*--yes/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await jobs("wait", await start("--yes", "--", "chmod 777 precious"));
    expect(statSync(path).mode & 0o777).toBe(0o777);
  });
});

describe("jobs logs", () => {
  it("is byte for byte what was written, from an offset or near the end", async () => {
    const { jobs, start } = jobHome();
    const id = await start("--", String.raw`printf 'a\377b\n'; head -c 300000 /dev/zero | tr '\0' x`);
    await jobs("wait", id);
    const whole = await jobs("logs", id);
    expect(whole.stdoutBytes.length).toBe(300_004);
    expect(whole.stdoutBytes.subarray(0, 4)).toEqual(Buffer.from([0x61, 0xff, 0x62, 0x0a]));
    expect((await jobs("logs", "--since", "3", id)).stdoutBytes.length).toBe(300_001);
    expect((await jobs("logs", "--tail", "5", id)).stdout).toBe("xxxxx");
    const page = JSON.parse((await jobs("logs", "--json", "--since", "300000", id)).stdout) as object;
    expect(page).toMatchObject({ offset: 300_000, next_offset: 300_004, ended: true, output: "xxxx" });
  });

  it("follows to the end", async () => {
    const { jobs, start } = jobHome();
    const id = await start("--", "for i in 1 2 3; do echo $i; sleep 0.1; done; exit 4");
    const run = await jobs("logs", "-f", id);
    expect(run).toMatchObject({ status: 0, stdout: "1\n2\n3\n" });
    expect(run.stderr).toMatch(/has ended: exited 4/);
  });

  it("ends the following on Ctrl-C, and leaves the job running", async () => {
    const { home, jobs, start, options, session } = jobHome();
    const id = await start("--", "echo first; exec sleep 60");
    const follower = startCli(home, ["jobs", "logs", "-f", "-s", session, id], options);
    let seen = "";
    follower.stdout?.on("data", (bytes: Buffer) => (seen += bytes.toString()));
    await until("the first line was followed", () => seen === "first\n");
    follower.kill("SIGINT");
    expect((await once(follower, "close"))[0]).toBe(130);
    expect(JSON.parse((await jobs("show", "--json", id)).stdout)).toMatchObject({ state: "running" });
  });
});

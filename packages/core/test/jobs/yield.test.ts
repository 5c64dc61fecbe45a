import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SessionJobs } from "../../src/jobs/session-jobs.js";
import { executeYielding } from "../../src/jobs/yield.js";
import type { FinishedCommand, YieldedCommand } from "../../src/jobs/yield-options.js";
import { HostEnvironment } from "../shell/host-environment.js";
import { HostAccess } from "./host-access.js";

let environment: HostEnvironment;
let access: HostAccess;
let jobs: SessionJobs;

beforeAll(() => {
  environment = new HostEnvironment({ PATH: process.env["PATH"], HOME: "/tmp" });
  access = new HostAccess(environment);
  jobs = new SessionJobs(access);
});

afterAll(async () => {
  await jobs.stopAll({ graceMs: 0 });
  await jobs.close();
  await environment.cleanup();
});

function finished(result: FinishedCommand | YieldedCommand): FinishedCommand {
  if (result.yielded !== undefined) throw new Error(`it yielded: ${result.output}`);
  return result;
}

function yielded(result: FinishedCommand | YieldedCommand): YieldedCommand {
  if (result.yielded === undefined)
    throw new Error(`it ended: ${JSON.stringify(result.outcome)} ${result.output}`);
  return result;
}

const inSession = async (script: string): Promise<string> =>
  (await access.run(script, { shell: "session", separate: false })).output;

describe("a command that may yield", () => {
  it("gives an ordinary result when it ends in time, with its exact output and status", async () => {
    const result = finished(
      await executeYielding(jobs, "echo out; echo err >/dev/stderr; printf 'no end'; exit 7", {
        yieldAfterMs: 20_000,
      }),
    );
    expect(result.outcome).toEqual({ kind: "exited", code: 7 });
    expect(result.exitCode).toBe(7);
    expect(result.output).toBe("out\nerr\nno end");
  });

  it("leaves in the session what it changed: directory, variables, functions, aliases, options, umask", async () => {
    await inSession("export KEEP=1 GONE=1; old() { :; }; cd /");
    const result = finished(
      await executeYielding(
        jobs,
        "cd /usr; export NEW='a b\nc'; unset GONE; unset -f old; hello() { echo hello $1; }; alias hi='echo hi'; umask 027; shopt -s nullglob; set -o noclobber; false",
        { yieldAfterMs: 20_000 },
      ),
    );
    expect(result.exitCode).toBe(1);
    expect(result.cwd).toBe("/usr");
    expect(result.cwdObserved).toBe(true);
    const seen = await inSession(
      'pwd; echo "$KEEP|$NEW|${GONE-unset}"; type old >/dev/null 2>&1 || echo no old; hello you; alias hi; umask; shopt -q nullglob && echo nullglob; case $- in *C*) echo C;; esac; echo "[$TALARIA_JOB]"',
    );
    expect(seen).toBe("/usr\n1|a b\nc|unset\nno old\nhello you\nalias hi='echo hi'\n0027\nnullglob\nC\n[]\n");
    await inSession("set +o noclobber; shopt -u nullglob; umask 022; cd /");
  });

  it("starts from the state of the session, and merges back only what it changed", async () => {
    await inSession(
      "export MINE=before; greet() { echo greet $MINE; }; shopt -s expand_aliases; alias g=greet",
    );
    let seen = (): void => {};
    const begun = new Promise<void>((resolve) => (seen = resolve));
    const running = executeYielding(jobs, "g\nexport OTHER=2; read -t 0.4 <> <(:) x; pwd", {
      yieldAfterMs: 20_000,
      onOutput: () => seen(),
    });
    await begun;
    await inSession("export MINE=meanwhile; cd /var");
    expect(finished(await running).output).toBe("greet before\n/\n");
    expect(await inSession('echo "$MINE $OTHER"; pwd')).toBe("meanwhile 2\n/var\n");
    await inSession("cd /");
  });

  it("keeps variables of the call out of the session", async () => {
    const options = { env: { ONCE: "1" }, yieldAfterMs: 20_000 };
    expect(finished(await executeYielding(jobs, "echo $ONCE", options)).output).toBe("1\n");
    expect(await inSession("echo [$ONCE]")).toBe("[]\n");
  });

  it("goes on as a job when its time is over, and nothing of its output is lost or repeated", async () => {
    const result = yielded(
      await executeYielding(
        jobs,
        "for i in 1 2 3 4 5 6 7 8; do echo line $i; sleep 0.1; done; export LATE=1",
        {
          yieldAfterMs: 350,
        },
      ),
    );
    expect(result.output).toMatch(/^line 1\n/);
    expect(result.notes.join(" ")).toContain(result.yielded.id);
    let rest = "";
    for await (const { bytes } of result.yielded.follow({ offset: result.nextOffset })) {
      rest += Buffer.from(bytes).toString();
    }
    expect(result.output + rest).toBe([1, 2, 3, 4, 5, 6, 7, 8].map((n) => `line ${n}\n`).join(""));
    expect((await result.yielded.info()).state).toBe("exited");
    expect(await inSession("echo [$LATE]")).toBe("[]\n");
  });

  it("returns after silence, and says since when it has been silent", async () => {
    const result = yielded(await executeYielding(jobs, "echo begun; sleep 30", { yieldAfterSilenceMs: 300 }));
    expect(result.output).toBe("begun\n");
    expect(result.silentMs).toBeGreaterThanOrEqual(290);
    expect((await result.yielded.stop()).killed).toBe("all");
  });

  it("is ended when its timeout comes first", async () => {
    const result = finished(
      await executeYielding(jobs, "echo begun; sleep 30", { timeoutMs: 400, yieldAfterMs: 20_000 }),
    );
    expect(result.outcome).toEqual({ kind: "timedOut", timeoutMs: 400, killed: "all", survivors: [] });
    expect(result.output).toBe("begun\n");
    expect(result.exitCode).toBe(124);
  });

  it("is ended when its caller gives up", async () => {
    const controller = new AbortController();
    const running = executeYielding(jobs, "echo begun; sleep 30", {
      signal: controller.signal,
      yieldAfterMs: 20_000,
      onOutput: () => controller.abort(),
    });
    expect(finished(await running).outcome).toEqual({ kind: "cancelled", killed: "all", survivors: [] });
  });

  it("reads the standard input it is given, and takes it for the end after that", async () => {
    const result = finished(
      await executeYielding(jobs, "cat; echo end", { stdin: "a\0b", yieldAfterMs: 20_000 }),
    );
    expect(result.output).toBe("a\0bend\n");
  });

  it("keeps head and tail of a long output, and the whole in a spill", async () => {
    const result = finished(
      await executeYielding(jobs, "seq 1 20000", { maxOutputBytes: 1_000, yieldAfterMs: 20_000 }),
    );
    expect(result.truncated?.totalBytes).toBe(108_894);
    expect(result.truncated?.spill).toBeDefined();
    expect(result.output.endsWith("20000\n")).toBe(true);
  });

  it("with a key runs once: the second call gives the first one's result, also from another process's session", async () => {
    const command = 'echo ran >>"$OUT"; echo done; exit 4';
    const out = `/tmp/talaria-key-${process.pid}`;
    await inSession(`export OUT=${out}; rm -f $OUT`);
    const options = { key: "task-1", yieldAfterMs: 20_000 };
    const first = finished(await executeYielding(jobs, command, options));
    const others = new SessionJobs(new HostAccess(environment, access.sessionName));
    const second = finished(await executeYielding(others, command, options));
    await others.close();
    expect([first.output, first.exitCode]).toEqual(["done\n", 4]);
    expect([second.output, second.exitCode, second.jobId]).toEqual(["done\n", 4, first.jobId]);
    expect(await inSession("cat $OUT; rm $OUT")).toBe("ran\n");
    await expect(executeYielding(jobs, "echo another", options)).rejects.toThrow(
      "belongs to another command",
    );
  });

  it("leaves no state of a shell behind in any file", async () => {
    await inSession("export PLANTED=planted-secret-value");
    finished(await executeYielding(jobs, "echo done", { yieldAfterMs: 20_000 }));
    const running = yielded(await executeYielding(jobs, "sleep 0.5", { yieldAfterMs: 100 }));
    await running.yielded.wait();
    const temp = await environment.tempDir();
    expect((await readdir(temp)).filter((name) => name.startsWith("job-"))).toEqual([]);
    expect(await inSession(`grep -rl planted-secret-value /tmp/talaria-$UID/${access.sessionName}; :`)).toBe(
      "",
    );
  });
});

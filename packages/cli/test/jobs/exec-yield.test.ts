import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCli, temporaryFolder, type CliRun } from "../support/run-cli.js";

/** A session of its own, whose jobs end with the test. */
function yielding(): { run: (...words: string[]) => Promise<CliRun>; session: string } {
  const home = temporaryFolder();
  const session = `cli-test-${randomUUID().slice(0, 8)}`;
  const run = (...words: string[]): Promise<CliRun> => runCli(home, words, { cwd: home });
  onTestFinished(async () => {
    const { stdout } = await run("jobs", "list", "-s", session, "--json");
    const ids = (JSON.parse(stdout) as { jobs: { id: string }[] }).jobs.map(({ id }) => id);
    if (ids.length === 0) return;
    await run("jobs", "stop", "-q", "-s", session, "--grace-ms", "0", ...ids);
    await run("jobs", "remove", "-q", "-s", session, ...ids);
  });
  return { run, session };
}

describe("exec --yield-after", () => {
  it("gives an ordinary result when the command ends in time, and its session has what it exported", async () => {
    const { run, session } = yielding();
    const quick = await run(
      "exec",
      "-s",
      session,
      "--yield-after",
      "30",
      "--",
      "export A=1; echo done; exit 3",
    );
    expect(quick).toMatchObject({ status: 3, stdout: "done\n" });
    expect((await run("exec", "-s", session, "--", 'echo "$A"')).stdout).toBe("1\n");
  });

  it("says which job a longer command has become, with status 75, and loses none of its output", async () => {
    const { run, session } = yielding();
    const long = await run(
      "exec",
      "-s",
      session,
      "--yield-after",
      "0.5",
      "--",
      "echo first; sleep 2; echo second; exit 4",
    );
    expect(long).toMatchObject({ status: 75, stdout: "first\n" });
    const [, since = "", id = ""] = /--since (\d+) (\w+)/.exec(long.stderr) ?? [];
    expect((await run("jobs", "wait", "-s", session, id)).status).toBe(4);
    expect((await run("jobs", "logs", "-s", session, "--since", since, id)).stdout).toBe("second\n");
  });

  it("is a document with the job and where its log goes on", async () => {
    const { run, session } = yielding();
    const long = await run(
      "exec",
      "--json",
      "-s",
      session,
      "--yield-after",
      "0.5",
      "--",
      "echo first; exec sleep 30",
    );
    expect(long.status).toBe(75);
    expect(JSON.parse(long.stdout)).toMatchObject({
      schema: 1,
      yielded: { id: expect.stringMatching(/^\w+$/) as string, session, backend: "local" },
      exit_code: null,
      output: "first\n",
      next_offset: 6,
    });
  });

  it("refuses what a job cannot have", async () => {
    const run = await runCli(temporaryFolder(), ["exec", "--yield-after", "1", "--stdin", "--", "cat"]);
    expect(run.status).toBe(125);
    expect(run.stderr).toMatch(/--yield-after and --stdin cannot go together/);
  });
});

import { once } from "node:events";
import { appendFileSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "../support/processes.js";
import { runCli, startCli, temporaryFolder } from "../support/run-cli.js";

/** A home in which two sessions have done something. */
async function usedHome(): Promise<string> {
  const home = temporaryFolder();
  await runCli(home, ["exec", "-s", "one", "--", "echo first; exit 3"]);
  await runCli(home, ["exec", "-s", "two", "--", "echo second"]);
  await runCli(home, ["files", "write", "-s", "two", "note.txt"], { input: "x", cwd: home });
  return home;
}

interface Entries {
  readonly entries: readonly { readonly kind: string; readonly session: string; readonly command?: string }[];
}

async function entries(home: string, ...words: string[]): Promise<Entries["entries"]> {
  const run = await runCli(home, ["audit", "--json", ...words]);
  expect(run.status, run.stderr).toBe(0);
  return (JSON.parse(run.stdout) as Entries).entries;
}

describe("audit", () => {
  it("shows what was done, the oldest first, a line each", async () => {
    const home = await usedHome();
    const { stdout, status } = await runCli(home, ["audit"]);
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /one@local +command +exited 3, .* ms {2}echo first; exit 3\n[^]*two@local +command +exited 0, .*echo second\n/,
    );
    expect(stdout).toMatch(/two@local +file +write .*note\.txt/);
  });

  it("is narrowed by session, kind, time and number", async () => {
    const home = await usedHome();
    expect((await entries(home, "--session", "one")).every(({ session }) => session === "one")).toBe(true);
    expect((await entries(home, "--kind", "command")).map(({ command }) => command)).toEqual([
      "echo first; exit 3",
      "echo second",
    ]);
    expect(await entries(home, "--kind", "command", "--limit", "1")).toMatchObject([
      { command: "echo second" },
    ]);
    expect(await entries(home, "--since", "1h", "--kind", "file")).toHaveLength(1);
    expect(await entries(home, "--since", "2100-01-01")).toEqual([]);
  });

  it("goes on with what happens from now on, and ends with Ctrl-C", async () => {
    const home = await usedHome();
    const follower = startCli(home, ["audit", "-f", "--json", "--limit", "1", "--kind", "command"]);
    let seen = "";
    follower.stdout?.on("data", (bytes: Buffer) => (seen += bytes.toString()));
    await until("what was there is shown", () => seen.includes("echo second"));
    await runCli(home, ["exec", "--", "echo third"]);
    await until("what came since is shown", () => seen.includes("echo third"));
    follower.kill("SIGINT");
    expect((await once(follower, "close"))[0]).toBe(130);
    const lines = seen
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toMatchObject([
      { schema: 1, command: "echo second" },
      { command: "echo third", exit_code: 0 },
    ]);
  });

  it("is empty, and no failure, where nothing was done yet", async () => {
    const run = await runCli(temporaryFolder(), ["audit"]);
    expect(run).toMatchObject({ status: 0, stdout: "" });
    expect(run.stderr).toMatch(/no such entries/);
  });

  it("refuses a kind that does not exist", async () => {
    const run = await runCli(temporaryFolder(), ["audit", "--kind", "reads"]);
    expect(run.status).toBe(2);
    expect(run.stderr).toMatch(/command, job, file, approval, session/);
  });

  it("acts on nobody's terminal, whatever a command is called", async () => {
    const home = temporaryFolder();
    await runCli(home, ["exec", "--", "echo '\u001b]0;owned\u0007'\necho two"]);
    const { stdout } = await runCli(home, ["audit", "--kind", "command"]);
    expect(stdout).not.toMatch(/[\u001b\u0007]/);
    expect(stdout.trim().split("\n")).toHaveLength(1);
  });
});

describe("audit --verify", () => {
  it("says that nothing was changed, or which line was", async () => {
    const home = await usedHome();
    expect((await runCli(home, ["audit", "--verify"])).status).toBe(0);
    const [name = ""] = readdirSync(join(home, "audit"));
    const path = join(home, "audit", name);
    writeFileSync(path, readFileSync(path, "utf8").replace("echo first", "echo other"));
    appendFileSync(path, "no entry\n");
    const run = await runCli(home, ["audit", "--verify"]);
    expect(run.status).toBe(1);
    expect(run.stdout).toMatch(/is no entry/);
  });
});

describe("the audit's state", () => {
  it("is in status and doctor, off included", async () => {
    const home = temporaryFolder();
    expect((await runCli(home, ["status"])).stdout).toMatch(/^audit +.*audit$/m);
    expect((await runCli(home, ["doctor"])).stdout).toMatch(/ok +audit +.*audit$/m);
    writeFileSync(join(home, "config.yaml"), "audit:\n  enabled: false\n");
    expect((await runCli(home, ["status"])).stdout).toMatch(/^audit +off \(audit\.enabled\)/m);
    expect((await runCli(home, ["doctor"])).stdout).toMatch(/info +audit +off/);
    await runCli(home, ["exec", "--", "true"]);
    expect(readdirSync(home)).not.toContain("audit");
  });

  it("is a failure of doctor when it cannot be written", async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, "audit"), "in the way");
    const run = await runCli(home, ["doctor", "--json"]);
    expect(run.status).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({
      checks: expect.arrayContaining([
        expect.objectContaining({ id: "audit", status: "failed", reason: "audit_not_writable" }),
      ]) as unknown,
    });
  });
});

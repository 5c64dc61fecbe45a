import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bin, cliEnv, runCli, temporaryFolder } from "./support/run-cli.js";

describe("conformance", () => {
  it("prints a table of the groups asked for and ends with 0 when all passed", async () => {
    const run = await runCli(temporaryFolder(), ["conformance", "local", "--group", "quoting"]);
    expect(run.status, run.stdout + run.stderr).toBe(0);
    expect(run.stdout).toMatch(/^quoting +\d+ of \d+ +passed/m);
    expect(run.stdout).toMatch(/^local: \d+ passed, 0 failed/m);
  });

  it("prints the summary before the cases as one document", async () => {
    const run = await runCli(temporaryFolder(), ["conformance", "local", "--group", "quoting", "--json"]);
    const report = JSON.parse(run.stdout) as Record<string, unknown>;
    expect(report).toMatchObject({
      schema: 1,
      backend: "local",
      ok: true,
      summary: { failed: 0, unsupported: 0 },
    });
    expect(Object.keys(report).indexOf("summary")).toBeLessThan(Object.keys(report).indexOf("cases"));
  });

  it("refuses a group that does not exist, which would look like a pass", async () => {
    const run = await runCli(temporaryFolder(), ["conformance", "local", "--group", "nothing"]);
    expect(run.status).toBe(2);
    expect(run.stderr).toMatch(/no group "nothing"[^]*quoting/);
  });

  it("ends with 1 for a backend that does not exist", async () => {
    const run = await runCli(temporaryFolder(), ["conformance", "nowhere"]);
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(/nowhere/);
  });
});

describe("a working directory that is gone", () => {
  it("does not keep a command from running", async () => {
    const home = temporaryFolder();
    const gone = join(home, "gone");
    mkdirSync(gone);
    const run = spawnSync(
      "bash",
      [
        "-c",
        'cd "$1" && rmdir "$1" && exec "$2" "$3" exec -- "echo ran"',
        "bash",
        gone,
        process.execPath,
        bin,
      ],
      { env: cliEnv(home), encoding: "utf8" },
    );
    expect(run, run.stderr).toMatchObject({ status: 0, stdout: "ran\n" });
  });
});

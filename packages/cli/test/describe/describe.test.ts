import { describe, expect, it } from "vitest";
import { runCli, temporaryFolder } from "../support/run-cli.js";

describe("talaria describe", () => {
  it("says in a few lines what a model is told about where it is", async () => {
    const run = await runCli(temporaryFolder(), ["describe"]);
    expect(run.status, run.stderr).toBe(0);
    expect(run.stdout).toMatch(/backend local/);
    expect(run.stdout).toMatch(/^Shell: bash \d/m);
    expect(run.stdout.trim().split("\n").length).toBeLessThan(15);
  });

  it("is a document with the facts, and says where a named session stands", async () => {
    const home = temporaryFolder();
    await runCli(home, ["exec", "-s", "work", "--", "cd /usr"]);
    const run = await runCli(home, ["describe", "--json", "-s", "work"]);
    expect(JSON.parse(run.stdout)).toMatchObject({
      schema: 1,
      backend: "local",
      text: expect.stringContaining("/usr") as string,
      facts: {
        shell: expect.stringMatching(/^bash/) as string,
        missing_programs: expect.any(Array) as unknown,
      },
    });
  });
});

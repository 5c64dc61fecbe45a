import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli, temporaryFolder } from "./support/run-cli.js";

/** A home with a session file of the given text. */
function homeWithSession(text: string): { home: string; file: string } {
  const home = temporaryFolder();
  mkdirSync(join(home, "sessions"), { mode: 0o700 });
  const file = join(home, "sessions", "work.json");
  writeFileSync(file, text, { mode: 0o600 });
  return { home, file };
}

describe("a session file that cannot be used", () => {
  it.each([
    ["comes from the future", '{"schema":99,"cwd":"/usr"}', /newer Talaria \(schema 99\)/],
    ["is broken", '{"schema":1,', /not JSON/],
    ["is empty", "", /not JSON/],
  ])("ends exec with 125, says why, and is left as it is: it %s", async (_title, text, reason) => {
    const { home, file } = homeWithSession(text);
    const run = await runCli(home, ["exec", "--session", "work", "--", "echo ran"]);
    expect(run.status).toBe(125);
    expect(run.stdout).toBe("");
    expect(run.stderr).toMatch(reason);
    expect(run.stderr).toContain(file);
    expect(readFileSync(file, "utf8")).toBe(text);
  });
});

describe("a session file", () => {
  it("is private, and holds no secret-looking variable", async () => {
    const home = temporaryFolder();
    await runCli(home, ["exec", "-s", "work", "--", "export ACME_API_TOKEN=hunter2 PLAIN=kept"]);
    const file = join(home, "sessions", "work.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, "sessions")).mode & 0o777).toBe(0o700);
    expect(readFileSync(file, "utf8")).toContain("kept");
    expect(readFileSync(file, "utf8")).not.toContain("hunter2");
  });

  it("is not made without --session", async () => {
    const home = temporaryFolder();
    await runCli(home, ["exec", "--", "cd /usr"]);
    expect(existsSync(join(home, "sessions"))).toBe(false);
  });
});

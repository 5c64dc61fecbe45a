import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli, temporaryFolder, type CliRun } from "../support/run-cli.js";

const approvals = (home: string, ...words: string[]): Promise<CliRun> =>
  runCli(home, ["approvals", ...words]);

describe("approvals test", () => {
  it("says that a harmless command would run, with status 0", async () => {
    const run = await approvals(temporaryFolder(), "test", "ls -l | wc -l");
    expect(run.status).toBe(0);
    expect(run.stdout).toMatch(/^verdict +allow/);
    expect(run.stdout).toMatch(/commands +ls -l\n +wc -l/);
  });

  it("explains a question: rule, category, the part that is meant, what was seen, what would change it", async () => {
    const run = await approvals(temporaryFolder(), "test", "true; sudo sh -c 'chmod 777 f'");
    expect(run.status).toBe(1);
    expect(run.stdout).toMatch(/^verdict +ask/);
    expect(run.stdout).toMatch(/^rule +world_writable \(dangerous, permissions\)/m);
    expect(run.stdout).toMatch(/^part +chmod 777 f/m);
    expect(run.stdout).toMatch(/^to change it +talaria approvals allow --exact/m);
  });

  it("takes several words as a program with its arguments, and options of its own before them", async () => {
    const parsed = JSON.parse(
      (await approvals(temporaryFolder(), "test", "--json", "chmod", "777", "a b")).stdout,
    ) as object;
    expect(parsed).toMatchObject({
      schema: 1,
      decision: "ask",
      level: "dangerous",
      rule: "world_writable",
      category: "permissions",
      commands: ["chmod 777 a b"],
      backend: "local",
      mode: "ask",
    });
  });

  it("says that nothing can allow what is on the hardline floor, whatever the mode", async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, "config.yaml"), "approvals:\n  mode: off\n");
    const run = await approvals(home, "test", "rm -rf /");
    expect(run.status).toBe(1);
    expect(run.stdout).toMatch(/hardline[^]*to change it +nothing/);
    expect((await approvals(home, "test", "chmod 777 f")).status).toBe(0);
  });

  it("names the deny rule, and the entry that allows", async () => {
    const home = temporaryFolder();
    writeFileSync(
      join(home, "config.yaml"),
      'approvals:\n  deny: ["git push*"]\n  allow: ["true", "chmod 777 *"]\n',
    );
    const denied = await approvals(home, "test", "--json", "env X=1 git push origin");
    expect(JSON.parse(denied.stdout)).toMatchObject({ decision: "deny", level: "deny", rule: "git push*" });
    const allowed = await approvals(home, "test", "--json", "chmod 777 f");
    expect(allowed.status).toBe(0);
    expect(JSON.parse(allowed.stdout)).toMatchObject({ level: "allowance", allowed_by: ["chmod 777 *"] });
  });

  it("runs nothing of it", async () => {
    const home = temporaryFolder();
    await approvals(home, "test", `echo x > ${join(home, "ran")}`);
    expect(() => readFileSync(join(home, "ran"))).toThrow(/ENOENT/);
  });

  it("needs a command", async () => {
    expect((await approvals(temporaryFolder(), "test")).status).toBe(2);
  });
});

describe("approvals allow and forget", () => {
  it("edit the user's file, comments kept, and say whether anything changed", async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, "config.yaml"), "# mine\nterminal:\n  timeout: 60 # short\n");
    expect((await approvals(home, "test", "chmod 777 f")).status).toBe(1);
    expect((await approvals(home, "allow", "chmod 777 *")).stderr).toMatch(/is now allowed/);
    expect((await approvals(home, "allow", "chmod 777 *")).stderr).toMatch(/was allowed already/);
    expect((await approvals(home, "test", "chmod 777 f")).status).toBe(0);
    expect(readFileSync(join(home, "config.yaml"), "utf8")).toMatch(
      /^# mine\nterminal:\n {2}timeout: 60 # short\n/,
    );
    expect((await approvals(home, "forget", "chmod 777 *")).stderr).toMatch(/no longer allowed/);
    expect((await approvals(home, "test", "chmod 777 f")).status).toBe(1);
    expect((await approvals(home, "forget", "--json", "chmod 777 *")).stdout).toContain('"changed": false');
  });

  it("take a text for itself with --exact, and forget it by the same text", async () => {
    const home = temporaryFolder();
    await approvals(home, "allow", "--exact", "chmod 777 *; true");
    expect((await approvals(home, "test", "chmod 777 *; true")).status).toBe(0);
    expect((await approvals(home, "test", "chmod 777 f; true")).status).toBe(1);
    expect((await approvals(home, "forget", "chmod 777 *; true")).stderr).toMatch(/no longer allowed/);
  });

  it("refuse an empty pattern", async () => {
    expect((await approvals(temporaryFolder(), "allow", " ")).status).toBe(2);
  });
});

describe("approvals list", () => {
  it("shows rules with their category, and what is allowed and denied with its source", async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, "config.yaml"), 'approvals:\n  deny: ["git push*"]\n  mode: deny\n');
    const { stdout, status } = await approvals(home, "list");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^mode {2}deny {2}.*config\.yaml:3/m);
    expect(stdout).toMatch(/^never run {2}.*config\.yaml:2\n {2}git push\*$/m);
    expect(stdout).toMatch(/^run without a question {2}default\n {2}nothing$/m);
    expect(stdout).toMatch(/^ {2}world_writable +permissions +\S/m);
    const parsed = JSON.parse((await approvals(home, "list", "--json")).stdout) as {
      rules: { id: string; level: string }[];
    };
    expect(parsed).toMatchObject({ schema: 1, mode: "deny", deny: ["git push*"], allow: [] });
    expect(parsed.rules.filter(({ level }) => level === "hardline").length).toBeGreaterThan(3);
  });
});

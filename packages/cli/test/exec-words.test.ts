import { describe, expect, it } from "vitest";
import { runCli, temporaryFolder } from "./support/run-cli.js";

describe("the words after --", () => {
  it("are shell text when there is one", async () => {
    const run = await runCli(temporaryFolder(), ["exec", "--", "echo one; echo $((1 + 1))"]);
    expect(run.stdout).toBe("one\n2\n");
  });

  it("reach the command unchanged when there are several", async () => {
    const words = ["a b", "$HOME", "it's", "", "*", "\n", "--", "-n", "héllo", "A=1", "`id`", "!x"];
    const run = await runCli(temporaryFolder(), ["exec", "--", "printf", "[%s]\\n", ...words]);
    expect(run.stdout).toBe(words.map((word) => `[${word}]\n`).join(""));
  });

  it("are one command even when the first looks like an assignment", async () => {
    const run = await runCli(temporaryFolder(), ["exec", "--", "A=1", "true"]);
    expect(run.status).toBe(127);
  });

  it("may stand without -- when the first is no option", async () => {
    const run = await runCli(temporaryFolder(), ["exec", "echo", "--json", "-q"]);
    expect(run.stdout).toBe("--json -q\n");
  });

  it("carry options of the command's own", async () => {
    const run = await runCli(temporaryFolder(), ["exec", "-q", "--", "echo", "--json", "--", "x"]);
    expect(run.stdout).toBe("--json -- x\n");
  });
});

describe("the options of exec", () => {
  it("set variables for the call", async () => {
    const run = await runCli(temporaryFolder(), [
      "exec",
      "-e",
      "A=1=2",
      "--env",
      "B=two words",
      "--",
      'echo "$A $B"',
    ]);
    expect(run.stdout).toBe("1=2 two words\n");
  });

  it("choose the directory of one call", async () => {
    const folder = temporaryFolder();
    const run = await runCli(folder, ["exec", "--workdir", folder, "--", "pwd -P"]);
    expect(run.stdout.trim()).toMatch(/talaria-cli-test-/);
  });

  it("say with -v how the command went, and nothing of that without", async () => {
    const home = temporaryFolder();
    const verbose = await runCli(home, ["exec", "-v", "--", "true"]);
    const normal = await runCli(home, ["exec", "--", "true"]);
    expect(verbose.stderr).toMatch(/exited in \/.* first byte none/);
    expect(normal.stderr).toBe("");
  });
});

describe("a named session", () => {
  it("is continued by the next invocation: directory, variables, functions", async () => {
    const home = temporaryFolder();
    const folder = temporaryFolder();
    const first = await runCli(home, [
      "exec",
      "--session",
      "work",
      "--",
      `cd ${folder}; export A="two words"; greet() { echo "hi $1"; }`,
    ]);
    expect(first.status, first.stderr).toBe(0);
    const next = await runCli(home, ["exec", "--session", "work", "--", 'pwd; echo "$A"; greet you']);
    expect(next.stdout).toBe(`${folder}\ntwo words\nhi you\n`);
  });

  it("is kept as it was when a command fails", async () => {
    const home = temporaryFolder();
    await runCli(home, ["exec", "-s", "work", "--", "cd /usr; exit 3"]);
    const next = await runCli(home, ["exec", "-s", "work", "--", "pwd"]);
    expect(next.stdout).toBe("/usr\n");
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runCli, temporaryFolder } from "./support/run-cli.js";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};
const commands = ["exec", "shell", "status", "backends", "doctor", "setup", "config", "plugins", "sandboxes"];
const more = ["conformance", "bench", "tour", "completion"];

describe("talaria", () => {
  it.each([["--version"], ["-V"]])("answers %s with its version", async (option) => {
    const run = await runCli(temporaryFolder(), [option]);
    expect(run).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: "" });
  });

  it.each([[[]], [["--help"]], [["help"]]])("shows its commands for %j, examples first", async (words) => {
    const run = await runCli(temporaryFolder(), words);
    expect(run.status).toBe(0);
    expect(run.stdout.indexOf("Examples:")).toBeLessThan(run.stdout.indexOf("Usage:"));
    for (const command of [...commands, ...more])
      expect(run.stdout).toMatch(new RegExp(`^  ${command} `, "m"));
    expect(run.stdout).not.toContain("__complete");
  });

  it.each([...commands, ...more])("has a help page with examples first for %s", async (command) => {
    const home = temporaryFolder();
    const run = await runCli(home, [command, "--help"]);
    expect(run).toMatchObject({ status: 0, stderr: "" });
    expect(run.stdout.indexOf("Examples:")).toBeGreaterThan(0);
    expect(run.stdout.indexOf("Examples:")).toBeLessThan(run.stdout.indexOf("Usage:"));
    expect((await runCli(home, ["help", command])).stdout).toBe(run.stdout);
  });

  it.each([
    ["an unknown command", ["stats"], /unknown command 'stats'[^]*status/],
    ["an unknown subcommand", ["config", "gte"], /unknown command 'gte'[^]*get/],
    ["an unknown option", ["status", "--jsn"], /unknown option '--jsn'[^]*--json/],
    [
      "a missing argument",
      ["conformance"],
      /missing required argument 'backend'[^]*talaria conformance --help/,
    ],
    ["too many arguments", ["config", "path", "x"], /too many arguments/],
    ["the help of an unknown command", ["help", "nothing"], /unknown command 'nothing'/],
  ])("ends with 2 for %s", async (_title, words, reason) => {
    const run = await runCli(temporaryFolder(), words);
    expect(run.status).toBe(2);
    expect(run.stdout).toBe("");
    expect(run.stderr).toMatch(reason);
  });
});

describe("colour", () => {
  const escape = "\u001b[";
  const help = async (env: Record<string, string>): Promise<string> =>
    (await runCli(temporaryFolder(), ["--help"], { env })).stdout;

  it("is off where stdout is no terminal", async () => {
    expect(await help({})).not.toContain(escape);
  });

  it("is on by FORCE_COLOR, and off by FORCE_COLOR=0", async () => {
    expect(await help({ FORCE_COLOR: "1" })).toContain(escape);
    expect(await help({ FORCE_COLOR: "0" })).not.toContain(escape);
  });

  it("is off by any NO_COLOR but an empty one, whatever FORCE_COLOR says", async () => {
    expect(await help({ NO_COLOR: "1", FORCE_COLOR: "1" })).not.toContain(escape);
    expect(await help({ NO_COLOR: "", FORCE_COLOR: "1" })).toContain(escape);
  });
});

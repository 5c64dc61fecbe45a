import { spawnSync, type SpawnSyncReturns } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bin, cliEnv, runCli, temporaryFolder } from "./support/run-cli.js";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};
const commands = ["exec", "shell", "status", "backends", "doctor", "setup", "config", "plugins", "sandboxes"];
const held = ["files", "jobs", "approvals", "audit", "describe"];
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
    for (const command of [...commands, ...held, ...more])
      expect(run.stdout).toMatch(new RegExp(`^  ${command} `, "m"));
    expect(run.stdout).not.toContain("__complete");
  });

  it.each([...commands, ...held, ...more])("has a help page with examples first for %s", async (command) => {
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

describe("a command line that cannot be understood", () => {
  it.each([
    ["an unknown option", ["status", "--json", "--bogus"], 2, "unknown option '--bogus'"],
    ["no command", ["exec", "--json"], 125, "there is no command to run"],
  ])("gives a document with --json: %s", async (_title, words, status, message) => {
    const run = await runCli(temporaryFolder(), words);
    expect(JSON.parse(run.stdout)).toMatchObject({
      schema: 1,
      error: { code: "invalid_argument", message: expect.stringContaining(message) as string },
    });
    expect(run.status).toBe(status);
  });

  it("has a name for --env that is none, and no advice to use it", async () => {
    const run = await runCli(temporaryFolder(), ["exec", "-e", "1A=hunter2", "--", "true"]);
    expect(run.stderr).toMatch(/"1A" is not the name of a variable/);
    expect(run.stderr).not.toMatch(/\$1A|hunter2/);
  });

  it("says how to pass on a variable when --env has no value", async () => {
    const run = await runCli(temporaryFolder(), ["exec", "-e", "A", "--", "true"]);
    expect(run.stderr).toMatch(/write --env "A=\$A"/);
  });
});

describe.runIf(process.platform === "linux")("bytes of the command line that are not UTF-8", () => {
  const sh = (script: string): SpawnSyncReturns<string> =>
    spawnSync("bash", ["-c", script, "bash", process.execPath, bin], {
      env: cliEnv(temporaryFolder()),
      encoding: "utf8",
    });

  it("are refused: another file than the one meant would be touched", () => {
    const run = sh(`"$1" "$2" exec -- $'echo caf\\xe9'`);
    expect(run.stderr).toMatch(/not UTF-8/);
    expect(run.status).toBe(125);
  });

  it("are not mistaken for the sign U+FFFD itself", () => {
    const run = sh(`"$1" "$2" exec -- $'echo \\xef\\xbf\\xbd'`);
    expect(run.stdout).toBe("\uFFFD\n");
  });
});

describe.runIf(process.platform === "linux")("a process that has next to nothing", () => {
  it("says in one line that it cannot be loaded with so few descriptors", () => {
    const run = spawnSync(
      "bash",
      ["-c", 'ulimit -n 24; exec "$1" "$2" exec -- true', "bash", process.execPath, bin],
      {
        env: cliEnv(temporaryFolder()),
        encoding: "utf8",
      },
    );
    expect(run.stderr).toMatch(/^talaria: its own code could not be loaded: EMFILE.*\n {2}hint: .*ulimit -n/);
    expect(run.status).toBe(125);
  });

  it("says that its version could not be written to a full disk", () => {
    const run = spawnSync("bash", ["-c", '"$1" "$2" --version > /dev/full', "bash", process.execPath, bin], {
      env: cliEnv(temporaryFolder()),
      encoding: "utf8",
    });
    expect(run.stderr).toMatch(/^talaria: stdout could not be written: ENOSPC/);
    expect(run.status).toBe(1);
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

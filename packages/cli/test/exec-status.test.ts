import { describe, expect, it } from "vitest";
import { runCli, temporaryFolder } from "./support/run-cli.js";

describe("the exit status of exec", () => {
  it.each([
    ["0 of a command that succeeds", ["true"], 0],
    ["the command's own number", ["exit 7"], 7],
    ["124 that a command itself chose", ["exit 124"], 124],
    ["125 that a command itself chose", ["exit 125"], 125],
    ["126 for a file that cannot be executed", ["/dev/null"], 126],
    ["127 for a command that is not there", ["no-such-command-here"], 127],
    ["255 that a command itself chose", ["exit 255"], 255],
    ["128 + 15 for a shell ended by TERM", ["kill -TERM $BASHPID"], 143],
    ["128 + 9 for a shell ended by KILL", ["kill -KILL $BASHPID"], 137],
    ["2 of a syntax error in the text, once somebody approved what cannot be read", ["if"], 2],
  ])("is %s", async (_title, words, status) => {
    const run = await runCli(temporaryFolder(), ["exec", "--yes", "--", ...words]);
    expect(run.status, run.stderr).toBe(status);
  });

  it("is 124 for a command that ran into its timeout, and stderr says what was stopped", async () => {
    const run = await runCli(temporaryFolder(), [
      "exec",
      "--timeout-ms",
      "300",
      "--",
      "echo before; sleep 60",
    ]);
    expect(run.status).toBe(124);
    expect(run.stdout).toBe("before\n");
    expect(run.stderr).toMatch(/did not end within 300 ms and was stopped: .*gone/);
  });
});

describe("a failure of Talaria itself in exec", () => {
  it.each([
    ["an unknown backend", ["--backend", "nowhere", "--", "true"], /nowhere/],
    ["a backend name that cannot be one", ["--backend", "Docker!", "--", "true"], /Docker!/],
    [
      "a first-party backend that is not released",
      ["--backend", "docker", "--", "true"],
      /@talaria\/backend-docker is not released yet/,
    ],
    [
      "a timeout of 0",
      ["--timeout-ms", "0", "--", "true"],
      /--timeout-ms "0" is not a number of milliseconds above 0/,
    ],
    ["a timeout that is no number", ["--timeout-ms", "soon", "--", "true"], /"soon" is not a number/],
    ["a negative timeout", ["--timeout-ms", "-1", "--", "true"], /"-1" is not a number/],
    ["a timeout without end", ["--timeout-ms", "Infinity", "--", "true"], /"Infinity" is not a number/],
    [
      "a timeout above the foreground limit",
      ["--timeout-ms", "86400000", "--", "true"],
      /terminal\.max_foreground_seconds/,
    ],
    ["a workdir that does not exist", ["--workdir", "/no/such/dir", "--", "true"], /\/no\/such\/dir/],
    ["an unknown option", ["--bakend", "local", "--", "true"], /unknown option '--bakend'[^]*--backend/],
    ["a variable without a value", ["--env", "TOKEN", "--", "true"], /"TOKEN" has no value/],
    [
      "a variable with an impossible name",
      ["--env", "1A=x", "--", "true"],
      /"1A" is not the name of a variable/,
    ],
    ["no command", [], /talaria/],
    ["an empty command", ["--", ""], /no command to run/],
    ["a session name with a slash", ["--session", "../x", "--", "true"], /\.\.\/x/],
  ])("ends with 125 and a reason on stderr: %s", async (_title, words, reason) => {
    const run = await runCli(temporaryFolder(), ["exec", ...words]);
    expect(run.status, run.stderr).toBe(125);
    expect(run.stderr).toMatch(reason);
    expect(run.stdout).toBe("");
  });

  it("is one document on stdout with --json, and still said on stderr", async () => {
    const run = await runCli(temporaryFolder(), [
      "exec",
      "--json",
      "--workdir",
      "/no/such/dir",
      "--",
      "true",
    ]);
    expect(run.status).toBe(125);
    expect(JSON.parse(run.stdout)).toMatchObject({ schema: 1, error: { code: "workdir" } });
    expect(run.stderr).toContain("/no/such/dir");
  });
});

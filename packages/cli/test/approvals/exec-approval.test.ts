import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { showProgram, type ShownProgram } from "../support/pty.js";
import { bin, cliEnv, runCli, temporaryFolder } from "../support/run-cli.js";

/** A file of one's own, and a command that the rules ask about because it opens the file to everybody. */
function precious(): { home: string; command: string; isUntouched: () => boolean } {
  const home = temporaryFolder();
  const path = join(home, "precious");
  writeFileSync(path, "x", { mode: 0o600 });
  return { home, command: "chmod 777 precious", isUntouched: () => (statSync(path).mode & 0o777) === 0o600 };
}

function onTerminal(home: string, ...words: string[]): ShownProgram {
  return showProgram(process.execPath, [bin, "exec", ...words], { ...cliEnv(home), NO_COLOR: "1" }, home);
}

describe("a dangerous command", () => {
  it("is refused with 125 where nobody can be asked, with the reason, the rule and what to do", async () => {
    const { home, command, isUntouched } = precious();
    const run = await runCli(home, ["exec", "--", command], { cwd: home });
    expect(run.status).toBe(125);
    expect(run.stdout).toBe("");
    expect(run.stderr).toMatch(/world_writable[^]*approve it with --yes/);
    expect(isUntouched()).toBe(true);
  });

  it("is a document with the reason as well", async () => {
    const { home, command } = precious();
    const run = await runCli(home, ["exec", "--json", "--", command], { cwd: home });
    expect(run.status).toBe(125);
    expect(JSON.parse(run.stdout)).toMatchObject({
      exit_code: null,
      outcome: { kind: "not_started", reason: "denied" },
    });
  });

  it("runs with --yes", async () => {
    const { home, command, isUntouched } = precious();
    expect((await runCli(home, ["exec", "--yes", "--", command], { cwd: home })).status).toBe(0);
    expect(isUntouched()).toBe(false);
  });

  it("never runs when it is on the hardline floor, --yes or not", async () => {
    const run = await runCli(temporaryFolder(), ["exec", "--yes", "--", "rm -rf --no-preserve-root /"]);
    expect(run.status).toBe(125);
  });

  it("never runs when it is denied in the configuration, --yes or not", async () => {
    const { home, command, isUntouched } = precious();
    writeFileSync(join(home, "config.yaml"), 'approvals:\n  deny: ["chmod 777*"]\n');
    expect((await runCli(home, ["exec", "--yes", "--", command], { cwd: home })).status).toBe(125);
    expect(isUntouched()).toBe(true);
  });
});

describe("a person at a terminal", () => {
  it("is asked, sees command and rule, and an answer that is none is asked again", async () => {
    const { home, command, isUntouched } = precious();
    const shown = onTerminal(home, "--", command);
    await shown.shows(/approval needed[^]*chmod 777 precious[^]*rule: [^]*\[d\]eny\? $/);
    const before = shown.screen().length;
    shown.pty.write("maybe\r");
    await shown.shows(/\[d\]eny\? $/, before);
    shown.pty.write("o\r");
    expect((await shown.exit).exitCode).toBe(0);
    expect(isUntouched()).toBe(false);
  });

  it.each([["d"], [""]])("refuses with %j, and the command does not run", async (answer) => {
    const { home, command, isUntouched } = precious();
    const shown = onTerminal(home, "--", command);
    await shown.shows(/\[d\]eny\? $/);
    shown.pty.write(`${answer}\r`);
    expect((await shown.exit).exitCode).toBe(125);
    expect(isUntouched()).toBe(true);
  });

  it("gives up with Ctrl-C", async () => {
    const { home, command, isUntouched } = precious();
    const shown = onTerminal(home, "--", command);
    await shown.shows(/\[d\]eny\? $/);
    shown.pty.write("\u0003");
    expect((await shown.exit).exitCode).toBe(130);
    expect(isUntouched()).toBe(true);
  });

  it("is not asked again after `always`, which is in the configuration with its comments kept", async () => {
    const { home, command } = precious();
    writeFileSync(join(home, "config.yaml"), "# mine\nterminal:\n  timeout: 60 # short\n");
    const shown = onTerminal(home, "--", command);
    await shown.shows(/\[d\]eny\? $/);
    shown.pty.write("a\r");
    expect((await shown.exit).exitCode).toBe(0);
    const config = readFileSync(join(home, "config.yaml"), "utf8");
    expect(config).toMatch(/^# mine\nterminal:\n {2}timeout: 60 # short\n/);
    expect(config).toContain(command);
    expect((await runCli(home, ["exec", "--", command], { cwd: home })).status).toBe(0);
  });

  it("is asked before stdin is passed on, and what is typed after the answer is the command's", async () => {
    const { home } = precious();
    const shown = onTerminal(home, "--stdin", "--", "chmod 777 precious; read -r line; echo got-$line");
    await shown.shows(/\[d\]eny\? $/);
    shown.pty.write("o\r");
    // The command reads when it reads: a terminal keeps what was typed before.
    shown.pty.write("typed\r");
    await shown.shows("got-typed");
    expect((await shown.exit).exitCode).toBe(0);
  });

  it("sees a command that only shows itself", async () => {
    const home = temporaryFolder();
    const shown = onTerminal(home, "--", "chmod 777 precious # \u001b[2K\u001b[1Ainnocent");
    await shown.shows(/\[d\]eny\? $/);
    expect(shown.screen()).toContain("\\x1b[2K\\x1b[1Ainnocent");
    shown.pty.write("d\r");
    expect((await shown.exit).exitCode).toBe(125);
  });
});

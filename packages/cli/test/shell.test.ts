import { realpathSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { showProgram, type ShownProgram } from "./support/pty.js";
import { bin, cliEnv, runCli, temporaryFolder } from "./support/run-cli.js";

/** `talaria shell` with start-up files of its own: an empty HOME. */
function openShell(home: string, words: readonly string[] = []): ShownProgram {
  return showProgram(process.execPath, [bin, "shell", ...words], cliEnv(home, { HOME: home, PS1: "$ " }));
}

/** Types a line and waits for its answer, which must not be part of the line itself. */
async function type(shell: ShownProgram, line: string, answer: string | RegExp): Promise<void> {
  const before = shell.screen().length;
  shell.pty.write(`${line}\r`);
  await shell.shows(answer, before);
}

describe("shell", () => {
  it("is a terminal to its programs, of the size of the person's own, and follows a resize", async () => {
    const shell = openShell(temporaryFolder());
    await type(shell, "tty >/dev/null && echo is-$((1 + 1))-tty", "is-2-tty");
    await type(shell, "stty size", "30 100");
    shell.pty.resize(120, 40);
    await type(shell, "stty size", "40 120");
    shell.pty.write("exit\r");
    expect((await shell.exit).exitCode).toBe(0);
  });

  it("passes the shell's exit status on", async () => {
    const shell = openShell(temporaryFolder());
    await type(shell, "echo up-$((1 + 1))", "up-2");
    shell.pty.write("exit 42\r");
    expect((await shell.exit).exitCode).toBe(42);
  });

  it("hands Ctrl-C to the program inside and goes on", async () => {
    const shell = openShell(temporaryFolder());
    // The program itself says that it runs: a Ctrl-C before it is in the foreground would be the shell's.
    await type(shell, "sh -c 'echo waiting-$((1 + 1)); exec sleep 300'", "waiting-2");
    shell.pty.write("\u0003");
    await type(shell, "echo still-$((1 + 1))", "still-2");
    shell.pty.write("exit\r");
    await shell.exit;
    expect(shell.screen()).toContain("still-2");
  });

  it("starts where the session stands, with its variables, and leaves it where the person left", async () => {
    const home = temporaryFolder();
    const folder = realpathSync(temporaryFolder());
    await runCli(home, ["exec", "-s", "work", "--", "cd /usr; export A='two words'"]);
    const shell = openShell(home, ["-s", "work"]);
    await type(shell, 'echo "[$PWD|$A]"', "[/usr|two words]");
    await type(shell, `cd '${folder}'; echo now-$((1 + 1))`, "now-2");
    shell.pty.write("exit 3\r");
    expect((await shell.exit).exitCode).toBe(3);
    const next = await runCli(home, ["exec", "-s", "work", "--", "pwd"]);
    expect(next.stdout).toBe(`${folder}\n`);
  });

  it("gives the terminal back in the mode it had", async () => {
    const home = temporaryFolder();
    const shown = showProgram(
      "bash",
      [
        "-c",
        'stty -a > "$1"; "$2" "$3" shell; stty -a | diff "$1" - && echo same-$((1 + 1))',
        "bash",
        `${home}/stty`,
        process.execPath,
        bin,
      ],
      cliEnv(home, { HOME: home, PS1: "$ " }),
    );
    await type(shown, "echo up-$((1 + 1))", "up-2");
    shown.pty.write("exit\r");
    await shown.shows("same-2");
    expect((await shown.exit).exitCode).toBe(0);
  });

  it("ends with the terminal", async () => {
    const shell = openShell(temporaryFolder());
    await type(shell, "echo up-$((1 + 1))", "up-2");
    shell.pty.kill("SIGHUP");
    const { exitCode, signal } = await shell.exit;
    expect(exitCode === 129 || signal === 1).toBe(true);
  });

  it("needs a terminal, and names what to use without one", async () => {
    const run = await runCli(temporaryFolder(), ["shell"]);
    expect(run.status).toBe(125);
    expect(run.stderr).toMatch(/needs a terminal[^]*talaria exec/);
  });
});

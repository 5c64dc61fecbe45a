import { InvalidArgumentError, type ProcessExit, type TerminalSession } from "@talaria/core";
import { constants } from "node:os";
import { talariaFailure } from "../exit-status.js";
import type { Messages } from "../output/messages.js";
import type { Invocation } from "../program/invocation.js";
import { openCliSession } from "../program/open-cli-session.js";
import { HeldTerminal } from "./held-terminal.js";
import { followCwdFile, makeCwdFile, shellWords } from "./shell-start.js";

export interface ShellOptions {
  readonly backend?: string;
  readonly session?: string;
  readonly workdir?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly user?: string;
}

export async function runShell(invocation: Invocation, options: ShellOptions): Promise<number> {
  const { stdin, messages } = invocation;
  if (!stdin.isTTY || !invocation.stdoutIsTty) {
    throw new InvalidArgumentError("stdin", "an interactive shell needs a terminal on stdin and stdout", {
      operation: "shell",
      hint: "to run a command without one, use: talaria exec -- '<command>' (add --stdin to hand it your stdin)",
    });
  }
  const { backend, session: name } = options;
  // Here a person types the commands, so nobody has to be asked. What never runs does not run here either.
  const session = await openCliSession(invocation, { backend, session: name, approvals: { mode: "off" } });
  try {
    const cwdFile = options.session === undefined ? undefined : await prepareCwdFile(session);
    const terminal = new HeldTerminal(stdin, process.stdout, invocation.stdout);
    const shell = await session.spawn(shellWords(cwdFile), {
      workdir: options.workdir,
      env: options.env,
      user: options.user,
      tty: { ...terminal.size, term: invocation.env["TERM"] ?? "xterm-256color" },
    });
    const endedBy = await terminal.lendTo(shell);
    const exit = await shell.exit;
    if (cwdFile !== undefined) await keepCwd(session, cwdFile, messages);
    return endedBy === undefined ? statusOfExit(exit, messages) : 128 + constants.signals[endedBy];
  } finally {
    await session.close();
  }
}

/** Undefined where no file can be made: then the shell's last directory is not observed, and the session keeps its own. */
async function prepareCwdFile(session: TerminalSession): Promise<string | undefined> {
  const { outcome, output } = await session.execute(makeCwdFile);
  return outcome.kind === "exited" && outcome.code === 0 ? output.replace(/\n$/, "") : undefined;
}

async function keepCwd(session: TerminalSession, cwdFile: string, messages: Messages): Promise<void> {
  const { outcome, cwd } = await session.execute(followCwdFile(cwdFile));
  if (outcome.kind === "exited" && outcome.code === 0) messages.detail(`the session now stands in ${cwd}`);
  else messages.note(`the directory the shell ended in could not be seen; the session stays in ${cwd}`);
}

function statusOfExit(exit: ProcessExit, messages: Messages): number {
  switch (exit.kind) {
    case "exited":
      return exit.code;
    case "signaled":
      return 128 + exit.signalNumber;
    case "lost":
      messages.problem(`the connection to the shell was lost: ${exit.reason}`);
      return talariaFailure;
  }
}

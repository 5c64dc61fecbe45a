import type { Command } from "commander";
import { addVariable } from "../program/option-values.js";
import { addVerbosity } from "../program/command-action.js";
import { describeCommand } from "../program/command-help.js";
import type { Invocation } from "../program/invocation.js";
import type { ShellOptions } from "./run-shell.js";

export function define(command: Command, invocation: Invocation): void {
  describeCommand(command, "Opens an interactive bash and ends with its exit status.", [
    "talaria shell",
    "talaria shell --session work    # starts where the session stands, and leaves it where you left",
  ]);
  command
    .option("-b, --backend <backend>", "where to open it (default: terminal.backend)")
    .option(
      "-s, --session <session>",
      "use the named session's cwd and variables, and keep the cwd you leave in",
    )
    .option("-w, --workdir <dir>", "start in this directory")
    .option("-e, --env <NAME=VALUE>", "set a variable in this shell only (repeatable)", addVariable)
    .option("-u, --user <account>", "open it as this account inside the sandbox");
  addVerbosity(command, invocation).action(async (options: ShellOptions) => {
    const { runShell } = await import("./run-shell.js");
    invocation.status = await runShell(invocation, options);
  });
}

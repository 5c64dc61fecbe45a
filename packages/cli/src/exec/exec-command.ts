import type { Command } from "commander";
import { addJson, addVerbosity } from "../program/command-action.js";
import { describeCommand } from "../program/command-help.js";
import type { Invocation } from "../program/invocation.js";
import { addVariable, positiveNumber } from "../program/option-values.js";
import type { ExecOptions } from "./run-exec.js";

export function define(command: Command, invocation: Invocation): void {
  describeCommand(command, "Runs a command and ends with its exit status (125 when Talaria itself failed).", [
    "talaria exec -- 'cd app && npm test'         # one word: shell text",
    'talaria exec -- grep -r "two words" src      # several words: one command, passed on as they are',
    "talaria exec --session work -- 'export A=1'  # the next --session work has A",
    "tar cz dir | talaria exec --stdin -- tar xz",
    "talaria exec --timeout-ms 5000 --json -- make",
    "talaria exec --yield-after 10 -- npm run dev # goes on as a job: talaria jobs",
  ]);
  command
    .usage("[options] -- <shell text | words...>")
    // Optional for the parser only: commandText has the better text for what is missing.
    .argument("[command...]", "what to run")
    .passThroughOptions()
    .option("-b, --backend <backend>", "where to run (default: terminal.backend)")
    .option(
      "-s, --session <session>",
      "continue the named session, and keep its cwd and variables for the next call",
    )
    .option("-w, --workdir <dir>", "start in this directory, for this call only")
    .option("-e, --env <NAME=VALUE>", "set a variable for this call only (repeatable)", addVariable)
    .option("-u, --user <account>", "run as this account inside the sandbox")
    .option(
      "-t, --timeout-ms <n>",
      "stop the command and its processes after n milliseconds",
      positiveNumber("timeout-ms", "milliseconds"),
    )
    .option(
      "--yield-after <seconds>",
      "when it takes longer, let it go on as a job, and say which (status 75)",
      positiveNumber("yield-after", "seconds"),
    )
    .option("-i, --stdin", "pass stdin on to the command (default: the command reads an empty stdin)")
    .option("-y, --yes", "approve a command that looks dangerous (default: ask on a terminal, else refuse)")
    .option("--separate", "with --json: stdout and stderr apart as well")
    .option(
      "--max-output-bytes <n>",
      "with --json: bytes of output to keep (default: 200000)",
      positiveNumber("max-output-bytes", "bytes"),
    );
  addVerbosity(addJson(command), invocation).action(async (words: string[], options: ExecOptions) => {
    const { runExec } = await import("./run-exec.js");
    invocation.status = await runExec(invocation, words, options);
  });
}

import type { Command } from "commander";
import type { Invocation } from "./invocation.js";

/** Adds `-q` and `-v`, and obeys them before the command's action starts. */
export function addVerbosity(command: Command, invocation: Invocation): Command {
  return command
    .option("-q, --quiet", "say nothing on stderr but errors")
    .option("-v, --verbose", "say on stderr how things went")
    .hook("preAction", (_command, action) => {
      const { quiet, verbose } = action.opts<{ quiet?: true; verbose?: true }>();
      invocation.messages.verbosity = quiet ? "quiet" : verbose ? "verbose" : "normal";
    });
}

/** Adds `--json`. */
export function addJson(command: Command): Command {
  return command.option("--json", "print one JSON document instead of text");
}

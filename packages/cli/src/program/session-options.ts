import type { Command } from "commander";

/** What says which sandbox a command line is about. */
export interface SessionChoice {
  readonly backend?: string;
  readonly session?: string;
}

/** Adds `--backend` and `--session` for a command that looks at the files of a sandbox. */
export function addSessionChoice(command: Command): Command {
  return command
    .option("-b, --backend <backend>", "in which place (default: terminal.backend)")
    .option("-s, --session <session>", "where the named session stands, in its sandbox");
}

import type { Command } from "commander";

/** The session a job belongs to when none is named. */
export const defaultJobSession = "default";

/** What every command of `jobs` takes. */
export interface JobOptions {
  readonly backend?: string;
  readonly session: string;
  readonly json?: true;
}

/** Adds `--session` and `--backend`, with the session that jobs belong to when nobody names one. */
export function addJobSession(command: Command): Command {
  return command
    .option("-s, --session <session>", "the session whose jobs are meant", defaultJobSession)
    .option("-b, --backend <backend>", "where the session is (default: where it was, else terminal.backend)");
}

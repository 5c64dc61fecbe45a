import type { CommandOptions } from "../environment/execute-options.js";
import type { CommandResult } from "../environment/execute-result.js";
import type { Job } from "./job.js";

/** When a command that goes on returns early, as a job. */
export interface YieldOptions {
  /** Milliseconds after which the call returns while the command goes on as a job. Default: never. */
  readonly yieldAfterMs?: number | undefined;
  /** The same after so many milliseconds without output. Default: never. */
  readonly yieldAfterSilenceMs?: number | undefined;
  /** Exactly-once, as for `jobs.start`: a second call with the same key gives the first run's result. */
  readonly key?: string | undefined;
}

/** Options of a command that may yield: those of `execute`, but for `separate` and `user`. */
export interface YieldingCommandOptions extends CommandOptions, YieldOptions {
  readonly workdir?: string | undefined;
}

/** The command goes on: what it wrote until now, and the job it is. */
export interface YieldedCommand {
  readonly yielded: Job;
  readonly output: string;
  readonly outputBytes: Uint8Array;
  /** Where a read of the job's log goes on. */
  readonly nextOffset: number;
  /** Milliseconds since the last output. */
  readonly silentMs: number;
  readonly notes: readonly string[];
}

/** A command that ended before it had to yield: an ordinary result. `jobId` names its journal entry. */
export interface FinishedCommand extends CommandResult {
  readonly yielded?: undefined;
  readonly jobId: string;
}

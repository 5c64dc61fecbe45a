import { CommandDeniedError } from "../errors/errors.js";
import type { SessionJobs } from "../jobs/session-jobs.js";
import type { YieldedCommand, YieldOptions } from "../jobs/yield-options.js";
import { notStartedResult, type NotStarted } from "../shell/not-started.js";
import { redactResult } from "./redact-result.js";
import type { RunCommand, SessionCommands } from "./session-commands.js";
import type { SessionCommandOptions } from "./session-options.js";
import type { SessionOversight } from "./session-oversight.js";
import { toExecuteResult, type ExecuteResult } from "./session-result.js";

/** What commands are run with. */
export interface ExecutionParts {
  readonly commands: SessionCommands;
  readonly oversight: SessionOversight;
  /** Default timeout of a command; undefined = the environment's own. */
  readonly timeoutMs: number | undefined;
  readonly jobs: () => SessionJobs;
  /** What is done before a command that the policy has admitted. */
  readonly prepare: (signal: AbortSignal) => Promise<unknown> | undefined;
}

type Options = SessionCommandOptions & YieldOptions;

/** Runs an agent's commands: the policy before them, the audit behind them, and as jobs where they may outlive their call. */
export class OverseenExecution {
  readonly #parts: ExecutionParts;

  constructor(parts: ExecutionParts) {
    this.#parts = parts;
  }

  /** Runs one command, which has been checked. `signal` is the call's own. */
  async run(command: string, options: Options, signal: AbortSignal): Promise<ExecuteResult | YieldedCommand> {
    const { key, yieldAfterMs, yieldAfterSilenceMs } = options;
    const mayYield = key !== undefined || yieldAfterMs !== undefined || yieldAfterSilenceMs !== undefined;
    if (mayYield) return this.#yielding(command, { ...options, signal });
    return this.#toResult(await this.#overseen(command, options, signal));
  }

  /** Runs a command that the policy admits; one that it refuses, or that is cancelled meanwhile, ends before it began. */
  async #overseen(command: string, options: SessionCommandOptions, signal: AbortSignal): Promise<RunCommand> {
    const { workdir, user } = options;
    const { commands, oversight, prepare } = this.#parts;
    const call = { command, cwd: workdir ?? commands.cwd, workdir, user, signal };
    const began = performance.now();
    const wasAborted = signal.aborted;
    try {
      return await oversight.execute(
        call,
        async (notes) => {
          if (signal.aborted && !wasAborted) return this.#notStarted(options, began);
          const preparing = prepare(signal);
          if (preparing !== undefined) await preparing;
          const run = await commands.execute(command, options, signal);
          return notes.length === 0 ? run : { ...run, notes: [...notes, ...run.notes] };
        },
        ({ result }) => result,
      );
    } catch (error) {
      if (!(error instanceof CommandDeniedError)) throw error;
      return this.#notStarted(options, began, deniedOutcome(error));
    }
  }

  /** Runs a command as a job from its start. The audit has it as one. */
  async #yielding(command: string, options: Options): Promise<ExecuteResult | YieldedCommand> {
    const { commands, oversight, timeoutMs, jobs } = this.#parts;
    const began = performance.now();
    try {
      const run = await oversight.yielding(command, async () => {
        const { executeYielding } = await import("../jobs/yield.js");
        return executeYielding(jobs(), command, { timeoutMs, ...options });
      });
      if (run.yielded !== undefined) return run;
      return this.#toResult({ result: run, cwd: commands.cwd ?? run.cwd, notes: run.notes });
    } catch (error) {
      if (!(error instanceof CommandDeniedError)) throw error;
      return this.#toResult(this.#notStarted(options, began, deniedOutcome(error)));
    }
  }

  #notStarted(options: SessionCommandOptions, began: number, outcome?: NotStarted): RunCommand {
    const { cwd, environment } = this.#parts.commands;
    const place = { ...options, start: { path: cwd, ifMissing: "fail" } as const };
    const atMs = performance.now() - began;
    const result = notStartedResult(place, undefined, environment.generation, atMs, outcome);
    return { result, cwd: result.cwd, notes: [] };
  }

  #toResult({ result, cwd, notes }: RunCommand): ExecuteResult {
    const redact = (text: string): string => this.#parts.oversight.redact(text);
    return toExecuteResult(
      this.#parts.commands.environment.backend,
      redactResult(result, redact),
      cwd,
      notes.map(redact),
    );
  }
}

function deniedOutcome({ hint, message }: CommandDeniedError): NotStarted {
  return {
    kind: "notStarted",
    reason: "denied",
    detail: hint === undefined ? message : `${message} ${hint}`,
  };
}

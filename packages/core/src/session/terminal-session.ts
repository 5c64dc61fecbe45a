import { SessionCache, type SessionCacheOptions } from "../cache/session-cache.js";
import type { TerminalEnvironment } from "../environment/environment.js";
import type { DescribedSession, EnvironmentDescription } from "../description/describe-environment.js";
import type { SandboxAccess } from "../environment/sandbox-access.js";
import type { SandboxProcess } from "../environment/sandbox-process.js";
import { ClosedError, UnsupportedCapabilityError } from "../errors/errors.js";
import { SessionFiles } from "../files/session-files.js";
import type { FileSettings } from "../files/file-settings.js";
import { hasEnded, type JobInfo } from "../jobs/job-info.js";
import { SessionJobs } from "../jobs/session-jobs.js";
import type { YieldedCommand, YieldOptions } from "../jobs/yield-options.js";
import { shellQuoteWords } from "../shell/quote.js";
import { traceMembers } from "../tracing/trace-members.js";
import type { SandboxPath } from "../workdir/paths.js";
import { CallSignals } from "./call-signals.js";
import { checkCommand, type CommandLimits } from "./check-command.js";
import { OverseenExecution } from "./overseen-execution.js";
import { SessionAccess } from "./session-access.js";
import { SessionCommands, type CommandParts } from "./session-commands.js";
import { SessionDescription } from "./session-description.js";
import type { SessionCommandOptions, SessionSpawnOptions } from "./session-options.js";
import type { SessionOversight } from "./session-oversight.js";
import type { ExecuteResult } from "./session-result.js";

/** An environment's own, where the configuration says nothing. */
const defaultTimeoutMs = 180_000;

/** What `openSession` puts together. */
export interface SessionParts extends CommandParts {
  readonly name: string | undefined;
  /** The environment was made for this session and ends with it. */
  readonly ownsEnvironment: boolean;
  readonly limits: CommandLimits;
  readonly oversight: SessionOversight;
  readonly files: FileSettings;
  readonly cache: SessionCacheOptions;
  /** What a model is told about the environment. */
  readonly description: () => Omit<DescribedSession, "cwd" | "timeoutMs" | "maxForegroundMs">;
}

/** A call without any of the options under which a command may outlive it. */
type NeverYields = { readonly [Name in keyof YieldOptions]?: undefined };

/** Options of `TerminalSession.close`. */
export interface CloseSessionOptions {
  /** Stop the session's jobs instead of leaving them. Default false. */
  readonly stopJobs?: boolean | undefined;
}

/** What a closed session left behind on purpose. */
export interface ClosedSession {
  /** Jobs that go on, if this session had to do with any. */
  readonly jobsLeft: readonly JobInfo[];
}

/**
 * What one agent conversation holds: a named environment, where it stands, and what its shell remembers. Made by
 * `openSession`. Commands may run in parallel; each starts from the session's state at its start and merges back what it
 * changed.
 */
export class TerminalSession implements AsyncDisposable {
  /** Names the session's shell state in the environment. Random. */
  readonly id: string;
  /** The name it is kept under, or undefined. */
  readonly name: string | undefined;
  /** The backend's name. */
  readonly backend: string;
  readonly environment: TerminalEnvironment;
  readonly #parts: SessionParts;
  readonly #commands: SessionCommands;
  readonly #calls = new CallSignals();
  readonly #access: SandboxAccess;
  readonly #execution: OverseenExecution;
  readonly #description: SessionDescription;
  /** The host's cache and credential files as the sandbox has them: synced before commands, and when asked. */
  readonly cache: SessionCache;
  #files: SessionFiles | undefined;
  #jobs: SessionJobs | undefined;
  #closing: Promise<ClosedSession> | undefined;
  #isClosed = false;

  /** @internal */
  constructor(parts: SessionParts) {
    this.id = parts.id;
    this.name = parts.name;
    this.backend = parts.environment.backend;
    this.environment = parts.environment;
    this.#parts = parts;
    this.#commands = new SessionCommands(parts);
    this.#access = new SessionAccess({
      sessionName: parts.name ?? parts.id,
      commands: this.#commands,
      calls: this.#calls,
      // While it closes, the session still has its own questions about its jobs.
      assertOpen: (operation) => {
        if (this.#isClosed) throw this.#closedError(operation);
      },
      home: () => this.#home(),
      oversight: parts.oversight,
      prepare: (signal) => this.#prepare(signal),
    });
    this.cache = new SessionCache(this.#access, parts.cache);
    this.#execution = new OverseenExecution({
      commands: this.#commands,
      oversight: parts.oversight,
      timeoutMs: parts.timeoutMs,
      jobs: () => this.jobs,
      prepare: (signal) => this.#prepare(signal),
    });
    this.#description = new SessionDescription(this.#access, () => ({
      ...parts.description(),
      cwd: this.cwd,
      timeoutMs: parts.timeoutMs ?? defaultTimeoutMs,
      maxForegroundMs: parts.limits.maxForegroundMs,
    }));
    parts.oversight.recordSession("open");
  }

  /** Where the next command starts; null until a command told where it ended. */
  get cwd(): SandboxPath | null {
    return this.#commands.cwd;
  }

  /** The sandbox's files: reading, writing, patching, searching, and transfers of files and trees. */
  get files(): SessionFiles {
    this.#files ??= traceMembers(
      new SessionFiles(this.#access, this.#parts.files),
      "talaria.files",
      this.#parts.oversight.toolTracing(["watch"]),
    );
    return this.#files;
  }

  /** Commands that outlive their call: started here, and those of other processes with a session of this name. */
  get jobs(): SessionJobs {
    this.#jobs ??= traceMembers(
      new SessionJobs(this.#access),
      "talaria.jobs",
      this.#parts.oversight.toolTracing(["events"]),
    );
    return this.#jobs;
  }

  /**
   * Runs shell text to its end and returns how it ended, whatever that is: a command that the policy refuses is
   * `notStarted`. Throws InvalidArgumentError for a call that makes no sense, WorkdirError for a directory that does not
   * exist, UnsupportedCapabilityError for what the environment cannot do, EnvironmentConnectionError when it cannot be
   * reached, ClosedError after `close()`.
   */
  execute(command: string, options?: SessionCommandOptions & NeverYields): Promise<ExecuteResult>;
  /**
   * The same for a command that may outlive the call: when its time or its silence is over it goes on as a job, and
   * nothing of its output is lost. With a `key` it runs once: a second call, from another process too, gives the first
   * run's result. Throws JobError for a key of another command.
   */
  execute(
    command: string,
    options: SessionCommandOptions & YieldOptions,
  ): Promise<ExecuteResult | YieldedCommand>;
  async execute(
    command: string,
    options: SessionCommandOptions & YieldOptions = {},
  ): Promise<ExecuteResult | YieldedCommand> {
    this.#assertOpen("execute");
    checkCommand(command, options, this.#parts.limits);
    return this.#calls.run(options.signal, (signal) => this.#execution.run(command, options, signal));
  }

  /**
   * Starts a program where the session stands, with the session's exported variables. What it changes stays its own.
   * Throws CommandDeniedError when the policy refuses it, UnsupportedCapabilityError where processes cannot be held, and
   * as `execute` does.
   */
  async spawn(argv: readonly string[], options: SessionSpawnOptions = {}): Promise<SandboxProcess> {
    this.#assertOpen("spawn");
    const { user, signal, workdir } = options;
    const call = { command: shellQuoteWords(argv), cwd: workdir ?? this.cwd, workdir, user, signal };
    return this.#parts.oversight.spawn(call, async () => {
      await this.#prepare(signal);
      return this.#commands.spawn(argv, options);
    });
  }

  /**
   * What a model should be told about where its commands run: system, user, directory, limits, what is not there. Facts
   * of a sandbox that is there take one round trip, once; no sandbox is made for it.
   */
  async describe(
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<EnvironmentDescription> {
    this.#assertOpen("describe");
    return this.#description.describe(options.signal);
  }

  /** The home directory the sandbox really has. Throws UnsupportedCapabilityError when it does not tell. */
  async home(): Promise<SandboxPath> {
    this.#assertOpen("home");
    return this.#home();
  }

  /**
   * Ends the commands that still run, keeps what a named session has to keep, and frees the environment if it was made
   * for this session. Jobs go on where their sandbox does, and are named in what this returns, unless `stopJobs` is given.
   * Idempotent. Throws SessionFileError when the session could not be kept; all else is done by then.
   */
  close(options: CloseSessionOptions = {}): Promise<ClosedSession> {
    this.#closing ??= this.#close(options);
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /**
   * Brings the host's cache up to date before what the policy has admitted. A command that fails to have its files does
   * not run: one that should no longer have them must not either.
   */
  #prepare(signal: AbortSignal | undefined): Promise<unknown> | undefined {
    return this.cache.isDue ? this.cache.syncIfDue({ signal }) : undefined;
  }

  async #home(): Promise<SandboxPath> {
    const [home] = (await this.#parts.place.home.ask()) ?? [];
    if (home !== undefined) return home;
    throw new UnsupportedCapabilityError(
      "home",
      `"${this.backend}" does not tell which home directory it has.`,
      {
        backend: this.backend,
        operation: "home",
        hint: "Use absolute paths.",
      },
    );
  }

  async #close(options: CloseSessionOptions): Promise<ClosedSession> {
    const { oversight, ownsEnvironment } = this.#parts;
    const jobs = await this.#leaveJobs(options);
    this.#isClosed = true;
    await this.#calls.abortAll(this.#closedError("close"));
    try {
      await this.#commands.save();
    } finally {
      if (ownsEnvironment) await this.environment.cleanup();
      oversight.recordSession("close");
      await oversight.close();
    }
    return jobs;
  }

  /** Stops the jobs, or says which ones it leaves. A session that had none asks nothing. */
  async #leaveJobs({ stopJobs = false }: CloseSessionOptions): Promise<ClosedSession> {
    const jobs = this.#jobs;
    if (jobs === undefined && !stopJobs) return { jobsLeft: [] };
    try {
      if (stopJobs) await this.jobs.stopAll();
      const running = (await this.jobs.list()).filter((info) => !hasEnded(info));
      if (running.length > 0) {
        const names = running.map(({ id, label }) => (label === null ? id : `${id} (${label})`));
        this.#commands.note(`The session was closed and left these jobs running: ${names.join(", ")}.`);
      }
      return { jobsLeft: running };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#commands.note(`The session was closed without knowing what its jobs do: ${why}`);
      return { jobsLeft: [] };
    } finally {
      await this.#jobs?.close();
    }
  }

  #assertOpen(operation: string): void {
    if (this.#closing !== undefined) throw this.#closedError(operation);
  }

  #closedError(operation: string): ClosedError {
    return new ClosedError("The session is closed.", {
      backend: this.backend,
      operation,
      hint: "Open another one with openSession.",
    });
  }
}

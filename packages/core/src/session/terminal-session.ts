import type { TerminalEnvironment } from "../environment/environment.js";
import type { EnvironmentExecuteOptions } from "../environment/execute-options.js";
import type { CommandResult } from "../environment/execute-result.js";
import type { SandboxProcess } from "../environment/sandbox-process.js";
import { ClosedError, UnsupportedCapabilityError } from "../errors/errors.js";
import { asSandboxPath, type SandboxPath } from "../workdir/paths.js";
import type { ResolvedStart } from "../workdir/start-inputs.js";
import { CallSignals } from "./call-signals.js";
import { checkCommand, checkDirectory, type CommandLimits } from "./check-command.js";
import { checkResult } from "./check-result.js";
import { questionShellId } from "./home-directory.js";
import type { SessionMemory } from "./session-memory.js";
import { SessionNotes } from "./session-notes.js";
import type { SessionCommandOptions, SessionSpawnOptions } from "./session-options.js";
import { toStartDirectory, type SessionPlace } from "./session-place.js";
import { toExecuteResult, type ExecuteResult } from "./session-result.js";
import type { SessionShell } from "./session-shell.js";
import { StandingDirectory } from "./standing-directory.js";

/** What `openSession` puts together. */
export interface SessionParts {
  readonly id: string;
  readonly name: string | undefined;
  readonly environment: TerminalEnvironment;
  /** The environment was made for this session and ends with it. */
  readonly ownsEnvironment: boolean;
  readonly place: SessionPlace;
  readonly shell: SessionShell;
  readonly memory: SessionMemory | undefined;
  readonly limits: CommandLimits;
  /** Default timeout of a command; undefined = the environment's own. */
  readonly timeoutMs: number | undefined;
  readonly cwd: SandboxPath | null;
  /** For the first result. */
  readonly notes: readonly string[];
  readonly onWarning: (warning: string) => void;
}

/** All members named, so that a new one cannot be forgotten. */
type Complete<T> = { [Name in keyof Required<T>]: T[Name] };

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
  readonly #standing: StandingDirectory;
  readonly #calls = new CallSignals();
  readonly #notes: SessionNotes;
  #closing: Promise<void> | undefined;

  /** @internal */
  constructor(parts: SessionParts) {
    this.id = parts.id;
    this.name = parts.name;
    this.backend = parts.environment.backend;
    this.environment = parts.environment;
    this.#parts = parts;
    this.#standing = new StandingDirectory(parts.environment.generation, parts.cwd);
    this.#notes = new SessionNotes(parts.notes, parts.onWarning);
  }

  /** Where the next command starts; null until a command told where it ended. */
  get cwd(): SandboxPath | null {
    return this.#standing.path;
  }

  /**
   * Runs shell text to its end and returns how it ended, whatever that is. Throws InvalidArgumentError for a call that
   * makes no sense, WorkdirError for a directory that does not exist, UnsupportedCapabilityError for what the
   * environment cannot do, EnvironmentConnectionError when it cannot be reached, ClosedError after `close()`.
   */
  async execute(command: string, options: SessionCommandOptions = {}): Promise<ExecuteResult> {
    this.#assertOpen("execute");
    checkCommand(command, options, this.#parts.limits);
    return this.#calls.run(options.signal, (signal) => this.#execute(command, options, signal));
  }

  /**
   * Starts a program where the session stands, with the session's exported variables. What it changes stays its own.
   * Throws UnsupportedCapabilityError where processes cannot be held, and as `execute` does.
   */
  async spawn(argv: readonly string[], options: SessionSpawnOptions = {}): Promise<SandboxProcess> {
    this.#assertOpen("spawn");
    const { workdir, env, ...rest } = options;
    if (workdir !== undefined) checkDirectory("workdir", workdir);
    const { environment } = this;
    if (environment.spawn === undefined) {
      throw new UnsupportedCapabilityError(
        "spawn",
        `"${this.backend}" cannot start a process and hold its streams.`,
        {
          backend: this.backend,
          operation: "spawn",
          hint: "Use execute, or a backend that has the capability: local, docker, ssh.",
        },
      );
    }
    const cwd = await this.#enter(workdir);
    return environment.spawn(argv, {
      ...rest,
      cwd,
      env: { ...(await this.#parts.shell.exported()), ...env },
    });
  }

  /** The home directory the sandbox really has. Throws UnsupportedCapabilityError when it does not tell. */
  async home(): Promise<SandboxPath> {
    this.#assertOpen("home");
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

  /**
   * Ends the commands that still run, keeps what a named session has to keep, and frees the environment if it was made
   * for this session. Idempotent. Throws SessionFileError when the session could not be kept; all else is done by then.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #execute(
    command: string,
    options: SessionCommandOptions,
    signal: AbortSignal,
  ): Promise<ExecuteResult> {
    const { workdir } = options;
    this.#notes.add(this.#standing.enterGeneration(this.environment.generation));
    const notes = this.#notes.take();
    const standing = this.#standing.standing;
    let start: ResolvedStart;
    let result: CommandResult;
    try {
      await this.#parts.shell.prepare();
      start = await this.#parts.place.resolve(workdir, standing.path);
      result = await this.#submit(command, options, signal, start);
    } catch (error) {
      this.#notes.giveBack(notes);
      throw error;
    }
    notes.push(...start.notes, ...result.notes);
    for (const note of start.notes) this.#notes.warn(note);
    const recreated = this.#standing.enterGeneration(result.generation);
    if (recreated !== undefined) notes.push(recreated);
    if (workdir === undefined) this.#standing.mergeCommand(standing, result);
    else await this.#mergeWorkdirCommand(start, result);
    const unsaved = await this.#remember();
    if (unsaved !== undefined) notes.push(unsaved);
    // Of a command that was sent elsewhere, `cwd` still says where the session stands.
    const cwd = workdir === undefined ? result.cwd : (this.#standing.path ?? result.cwd);
    return toExecuteResult(this.backend, result, cwd, notes);
  }

  async #submit(
    command: string,
    options: SessionCommandOptions,
    signal: AbortSignal,
    start: ResolvedStart,
  ): Promise<CommandResult> {
    const { workdir, env, timeoutMs = this.#parts.timeoutMs } = options;
    const { place, shell } = this.#parts;
    try {
      // Member by member: an object made by spreading is slow to make, and lives long enough to let the heap grow.
      const call: Complete<EnvironmentExecuteOptions> = {
        timeoutMs,
        signal,
        forceSignal: options.forceSignal,
        stdin: options.stdin,
        user: options.user,
        onOutput: options.onOutput,
        maxOutputBytes: options.maxOutputBytes,
        spill: options.spill,
        separate: options.separate,
        killGraceMs: options.killGraceMs,
        env: shell.callEnvironment(env),
        start: toStartDirectory(start),
        startWhenRecreated: place.resolveAnew(workdir),
        shellId: this.id,
      };
      const result = await this.environment.execute(command, call);
      checkResult(this.backend, result);
      return result;
    } catch (error) {
      throw place.explain(error, start);
    }
  }

  async #mergeWorkdirCommand(start: ResolvedStart, result: CommandResult): Promise<void> {
    if (!result.cwdObserved || result.recreated === true) return;
    if (await this.#parts.place.hasMoved(toStartDirectory(start), result.cwd)) {
      this.#standing.moveTo(result.cwd, result.generation);
    }
  }

  /** The directory a program starts in, as the sandbox itself names it: it exists when this returns. */
  async #enter(workdir: string | undefined): Promise<string> {
    const { place } = this.#parts;
    this.#notes.add(this.#standing.enterGeneration(this.environment.generation));
    const start = await place.resolve(workdir, this.#standing.path);
    try {
      const { cwd, notes } = await this.environment.execute(":", {
        start: toStartDirectory(start),
        shellId: questionShellId,
      });
      for (const note of [...start.notes, ...notes]) this.#notes.warn(note);
      return asSandboxPath(cwd);
    } catch (error) {
      throw place.explain(error, start);
    }
  }

  async #close(): Promise<void> {
    const { memory, ownsEnvironment } = this.#parts;
    await this.#calls.abortAll(this.#closedError("close"));
    try {
      await memory?.save(this.#standing.path);
    } finally {
      if (ownsEnvironment) await this.environment.cleanup();
    }
  }

  /** Saves a named session. The command has run, so a failure is a note and not an error. */
  async #remember(): Promise<string | undefined> {
    try {
      await this.#parts.memory?.save(this.#standing.path);
      return undefined;
    } catch (error) {
      const note = error instanceof Error ? error.message : String(error);
      this.#notes.warn(note);
      return note;
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

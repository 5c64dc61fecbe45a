import type { TerminalEnvironment } from "../environment/environment.js";
import type { EnvironmentExecuteOptions } from "../environment/execute-options.js";
import type { CommandResult } from "../environment/execute-result.js";
import type { SandboxProcess } from "../environment/sandbox-process.js";
import { UnsupportedCapabilityError } from "../errors/errors.js";
import type { RedactionRules } from "../secrets/redaction-rules.js";
import { asSandboxPath, type SandboxPath } from "../workdir/paths.js";
import type { ResolvedStart } from "../workdir/start-inputs.js";
import { checkDirectory } from "./check-command.js";
import { checkResult } from "./check-result.js";
import { questionShellId } from "./home-directory.js";
import type { SessionMemory } from "./session-memory.js";
import { SessionNotes } from "./session-notes.js";
import type { SessionCommandOptions, SessionSpawnOptions } from "./session-options.js";
import { toStartDirectory, type SessionPlace } from "./session-place.js";
import type { SessionShell } from "./session-shell.js";
import { StandingDirectory } from "./standing-directory.js";

/** Shell text that sets a umask or an option. */
const setsShell = /\bumask \d|\bset [-+][A-Za-z]/;

/** What a session's commands are made of. */
export interface CommandParts {
  /** Names the session's shell state in the environment. */
  readonly id: string;
  readonly environment: TerminalEnvironment;
  readonly place: SessionPlace;
  readonly shell: SessionShell;
  readonly memory: SessionMemory | undefined;
  /** Default timeout of a command; undefined = the environment's own. */
  readonly timeoutMs: number | undefined;
  readonly cwd: SandboxPath | null;
  /** What is taken out of the output of commands. Default: nothing. */
  readonly redact?: RedactionRules | undefined;
  /** For the first result. */
  readonly notes: readonly string[];
  readonly onWarning: (warning: string) => void;
}

/** A finished command, with what its reader should know besides. */
export interface RunCommand {
  readonly result: CommandResult;
  /** Where the session stands. */
  readonly cwd: SandboxPath;
  readonly notes: readonly string[];
}

/** All members named, so that a new one cannot be forgotten. */
type Complete<T> = { [Name in keyof Required<T>]: T[Name] };

/**
 * Runs a session's commands where the session stands, and remembers where they ended. It judges nothing and reports
 * nothing: that is done by who calls it.
 */
export class SessionCommands {
  readonly environment: TerminalEnvironment;
  readonly #parts: CommandParts;
  readonly #standing: StandingDirectory;
  readonly #notes: SessionNotes;

  constructor(parts: CommandParts) {
    this.environment = parts.environment;
    this.#parts = parts;
    this.#standing = new StandingDirectory(parts.environment.generation, parts.cwd);
    this.#notes = new SessionNotes(parts.notes, parts.onWarning);
  }

  /** Where the next command starts; null until a command told where it ended. */
  get cwd(): SandboxPath | null {
    return this.#standing.path;
  }

  /** Keeps a note for the next result, and tells who listens. */
  note(text: string): void {
    this.#notes.add(text);
    this.#notes.warn(text);
  }

  /** Runs shell text in the session's shell and merges back what it changed. */
  async execute(command: string, options: SessionCommandOptions, signal: AbortSignal): Promise<RunCommand> {
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
    return { result, cwd, notes };
  }

  /**
   * Runs a script of Talaria's own in a shell state that no command of the session can have changed. Where the session
   * stands in a directory that is gone, it does not run elsewhere: WorkdirError.
   */
  async ask(
    script: string,
    { workdir, ...call }: Omit<SessionCommandOptions, "spill" | "forceSignal" | "killGraceMs">,
  ): Promise<CommandResult> {
    this.#notes.add(this.#standing.enterGeneration(this.environment.generation));
    const resolved = await this.#parts.place.resolve(workdir, this.#standing.path);
    const start: ResolvedStart =
      resolved.source === "recorded" ? { ...resolved, ifMissing: "fail" } : resolved;
    for (const note of start.notes) this.#notes.warn(note);
    try {
      // In a shell of its own where it sets what would stay for the next one: a umask, options.
      const text = setsShell.test(script) ? `(\n${script}\n)` : script;
      const result = await this.environment.execute(text, {
        ...call,
        spill: false,
        start: toStartDirectory(start),
        startWhenRecreated: this.#parts.place.resolveAnew(workdir),
        shellId: questionShellId,
      });
      checkResult(this.environment.backend, result);
      this.#notes.add(this.#standing.enterGeneration(result.generation));
      return result;
    } catch (error) {
      throw this.#parts.place.explain(error, start);
    }
  }

  /** Starts a program where the session stands, with the session's exported variables. */
  async spawn(argv: readonly string[], options: SessionSpawnOptions): Promise<SandboxProcess> {
    const { workdir, env, ...rest } = options;
    if (workdir !== undefined) checkDirectory("workdir", workdir);
    const { environment } = this;
    if (environment.spawn === undefined) {
      throw new UnsupportedCapabilityError(
        "spawn",
        `"${environment.backend}" cannot start a process and hold its streams.`,
        {
          backend: environment.backend,
          operation: "spawn",
          hint: "Use execute, or a backend that has the capability: local, docker, ssh.",
        },
      );
    }
    if (
      environment.acceptsHostFiles !== true &&
      (rest.stdinFile !== undefined || rest.stdoutFile !== undefined)
    ) {
      throw new UnsupportedCapabilityError(
        "hostFiles",
        `"${environment.backend}" cannot give a process an open file of this host.`,
        {
          backend: environment.backend,
          operation: "spawn",
          hint: "Leave `stdinFile` and `stdoutFile` out, and use the streams of the process.",
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

  /** Writes what a named session has to keep. Throws SessionFileError. */
  async save(): Promise<void> {
    await this.#parts.memory?.save(this.#standing.path);
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
        shellId: this.#parts.id,
        redact: this.#parts.redact,
      };
      const result = await this.environment.execute(command, call);
      checkResult(this.environment.backend, result);
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

  /** Saves a named session. The command has run, so a failure is a note and not an error. */
  async #remember(): Promise<string | undefined> {
    try {
      await this.save();
      return undefined;
    } catch (error) {
      const note = error instanceof Error ? error.message : String(error);
      this.#notes.warn(note);
      return note;
    }
  }
}

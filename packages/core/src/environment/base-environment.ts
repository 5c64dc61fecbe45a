import { randomUUID } from "node:crypto";
import { ClosedError, EnvironmentConnectionError, UnsupportedCapabilityError } from "../errors/errors.js";
import { fromShellBytes } from "../shell/shell-bytes.js";
import type { Hello } from "../shell/hello.js";
import type { ShellStateSnapshot } from "../shell/shell-state.js";
import { OneShotShell } from "../shell/one-shot-shell.js";
import { isBashUsable, readShFacts, type ShFacts } from "../shell/sh-facts.js";
import { WarmShell, type WarmShellOptions } from "../shell/warm-shell.js";
import { asSandboxPath, type SandboxPath } from "../workdir/paths.js";
import { derivedCapabilities, type Capability } from "./capabilities.js";
import { checkExecuteArguments } from "./check-execute-arguments.js";
import type { CleanupReport, TerminalEnvironment } from "./environment.js";
import type { EnvironmentExecuteOptions } from "./execute-options.js";
import type { CommandResult } from "./execute-result.js";
import type { SandboxProcess, SpawnOptions } from "./sandbox-process.js";
import { defaultSpillDirectory } from "./spill-file.js";

/** What every environment derived from `spawn` can be told. */
export interface BaseEnvironmentOptions {
  /** The backend's name. */
  readonly backend: string;
  /** Names the sandbox. Default: random. */
  readonly id?: string | undefined;
  /** Default timeout of a command. Default 180,000 ms. */
  readonly timeoutMs?: number | undefined;
  /** Channels that may be open at once; further commands wait. Default 64. */
  readonly maxChannels?: number | undefined;
  /** Host folder for output that outgrows a result. Default: private, under the system's temporary folder. */
  readonly spillDirectory?: string | undefined;
  /** What the environment can do, as probed. Default: everything that follows from `spawn`. */
  readonly capabilities?: readonly Capability[] | undefined;
}

/** What goes without saying with bash and cannot be had without it. */
const needsBash: ReadonlySet<Capability> = new Set(["state", "kill", "killProof"]);

/**
 * Derives commands, state, kill and the rest from `spawn`. A backend extends it and implements `spawn` and `dispose`.
 * The sandbox needs bash 4.1 or newer and a place for private files in /dev/shm, $TMPDIR or /tmp. Without such a bash
 * each command runs in a new `sh`, and `capabilities()` says what that lacks.
 */
export abstract class BaseEnvironment implements TerminalEnvironment {
  readonly backend: string;
  readonly id: string;
  readonly #options: BaseEnvironmentOptions;
  readonly #shellOptions: WarmShellOptions;
  readonly #shell: WarmShell;
  /** In place of the warm shell where the sandbox has no usable bash. */
  #oneShot: { readonly shell: OneShotShell; readonly facts: ShFacts } | undefined;
  #closing: Promise<CleanupReport> | undefined;

  constructor(options: BaseEnvironmentOptions) {
    this.backend = options.backend;
    this.id = options.id ?? randomUUID();
    this.#options = options;
    this.#shellOptions = {
      spawn: (argv, spawnOptions) => this.spawn(argv, spawnOptions),
      maxChannels: options.maxChannels ?? 64,
      spillDirectory: options.spillDirectory ?? defaultSpillDirectory(),
      defaults: { timeoutMs: options.timeoutMs ?? 180_000, killGraceMs: 2_000, maxOutputBytes: 200_000 },
    };
    this.#shell = new WarmShell(this.#shellOptions);
  }

  /** Counts the sandboxes behind this environment. A backend that can lose and remake its sandbox overrides it. */
  get generation(): number {
    return 1;
  }

  /** Whether a shell is up. A backend whose sandbox is there before that overrides it. */
  get isLive(): boolean {
    return this.#shell.isUp || this.#oneShot !== undefined;
  }

  /**
   * The one primitive: starts a process in the sandbox and holds its three streams. Throws a TalariaError when it cannot
   * be started; an EnvironmentConnectionError when the sandbox cannot be reached.
   */
  abstract spawn(argv: readonly string[], options?: SpawnOptions): Promise<SandboxProcess>;

  /** Frees the sandbox itself, after all channels are closed. Called once. Returns what it left on purpose. */
  protected abstract dispose(): Promise<CleanupReport>;

  async execute(command: string, options: EnvironmentExecuteOptions = {}): Promise<CommandResult> {
    this.#refuseClosed("execute");
    checkExecuteArguments(command, options);
    this.#refuseMissing(options);
    try {
      const shell = await this.#usableShell();
      return await shell.execute(command, options, this.generation);
    } catch (error) {
      throw this.#named(error);
    }
  }

  async cleanup(): Promise<CleanupReport> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async home(): Promise<SandboxPath> {
    return this.#fact(
      "home",
      ({ home }) => home,
      ({ home }) => home,
    );
  }

  async defaultDirectory(): Promise<SandboxPath> {
    return this.#fact(
      "defaultDirectory",
      ({ state }) => state.cwd,
      ({ cwd }) => cwd,
    );
  }

  async tempDir(): Promise<SandboxPath> {
    return this.#fact(
      "tempDir",
      ({ files }) => files.slice(0, files.lastIndexOf("/")),
      ({ temp }) => temp,
    );
  }

  async capabilities(): Promise<readonly Capability[]> {
    this.#refuseClosed("capabilities");
    await this.#usableShell();
    const all = this.#options.capabilities ?? derivedCapabilities;
    return this.#oneShot === undefined ? all : all.filter((capability) => !needsBash.has(capability));
  }

  async exportShellState(shellId = "default"): Promise<ShellStateSnapshot> {
    this.#refuseClosed("exportShellState");
    await this.#usableShell();
    return (this.#oneShot?.shell ?? this.#shell).exportState(shellId);
  }

  async importShellState(snapshot: ShellStateSnapshot, shellId = "default"): Promise<void> {
    this.#refuseClosed("importShellState");
    (await this.#usableShell()).importState(snapshot, shellId);
  }

  /**
   * The warm shell, or one `sh` a command where the sandbox has no bash that could be one. Decided once: by the first
   * channel, and when that fails by asking `sh`.
   */
  async #usableShell(): Promise<WarmShell | OneShotShell> {
    if (this.#oneShot !== undefined) return this.#oneShot.shell;
    if (this.#shell.isUp) return this.#shell;
    try {
      await this.#shell.hello();
      return this.#shell;
    } catch (error) {
      const facts = await readShFacts(this.#shellOptions.spawn).catch(() => undefined);
      if (facts === undefined || isBashUsable(facts.bashVersion)) throw error;
      this.#oneShot = { shell: new OneShotShell(this.#shellOptions, facts), facts };
      return this.#oneShot.shell;
    }
  }

  async #fact(
    operation: string,
    ofHello: (hello: Hello) => string,
    ofSh: (facts: ShFacts) => string,
  ): Promise<SandboxPath> {
    this.#refuseClosed(operation);
    await this.#usableShell();
    const bytes =
      this.#oneShot === undefined ? ofHello(await this.#shell.hello()) : ofSh(this.#oneShot.facts);
    return asSandboxPath(fromShellBytes(bytes));
  }

  async #close(): Promise<CleanupReport> {
    const channels = await this.#shell.close();
    await this.#oneShot?.shell.close();
    const sandbox = await this.dispose();
    return { left: [...channels.left, ...sandbox.left] };
  }

  /** A backend that does not know accounts must not run a command as the wrong one. */
  #refuseMissing({ user }: EnvironmentExecuteOptions): void {
    if (user === undefined || (this.#options.capabilities ?? derivedCapabilities).includes("user")) return;
    throw new UnsupportedCapabilityError(
      "user",
      `The ${this.backend} environment cannot run a command as "${user}".`,
      {
        backend: this.backend,
        operation: "execute",
        hint: "Leave `user` out, or use an environment whose capabilities list `user`.",
      },
    );
  }

  #refuseClosed(operation: string): void {
    if (this.#closing === undefined) return;
    throw new ClosedError(`This ${this.backend} environment is closed.`, {
      backend: this.backend,
      operation,
      hint: "Open a new session; its sandbox was freed by `close()`.",
    });
  }

  /** Puts the backend's name on a connection error that does not know it yet. */
  #named(error: unknown): unknown {
    if (!(error instanceof EnvironmentConnectionError) || error.backend !== undefined) return error;
    return new EnvironmentConnectionError(error.message, {
      backend: this.backend,
      operation: error.operation,
      retryHint: error.retryHint,
      cause: error.cause,
    });
  }
}

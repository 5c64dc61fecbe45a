import type { Mount } from "../workdir/mount-table.js";
import type { SandboxPath } from "../workdir/paths.js";
import type { Capability } from "./capabilities.js";
import type { EnvironmentExecuteOptions } from "./execute-options.js";
import type { CommandResult } from "./execute-result.js";
import type { Survivor } from "./outcome.js";
import type { SandboxProcess, SpawnOptions } from "./sandbox-process.js";
import type { ShellStateSnapshot } from "../shell/shell-state.js";

/** What `cleanup` left behind on purpose. */
export interface CleanupReport {
  /** Processes that finished commands had left running and that go on (backends that do not own the machine). */
  readonly left: readonly Survivor[];
}

/**
 * One live sandbox (or host) connection, made by a provider. All members take and return plain data and streams, so
 * that an environment can live in another process. Optional members are capabilities: ask by presence.
 */
export interface TerminalEnvironment {
  /** The backend's name. */
  readonly backend: string;
  /** Names the sandbox; stable while it lives. */
  readonly id: string;
  /** Counts the sandboxes behind this environment, from 1. */
  readonly generation: number;

  /** Runs shell text to its end. Non-zero exits are returned; infrastructure failures are thrown. */
  execute(command: string, options?: EnvironmentExecuteOptions): Promise<CommandResult>;
  /** Frees everything. Idempotent. */
  cleanup(): Promise<CleanupReport>;

  /** The one primitive: starts a process and holds its streams. */
  spawn?(argv: readonly string[], options?: SpawnOptions): Promise<SandboxProcess>;
  /** The home directory the sandbox really has. */
  home?(): Promise<SandboxPath>;
  /** The directory commands start in when nobody says otherwise. */
  defaultDirectory?(): Promise<SandboxPath>;
  /** A private directory (0700, owned) for Talaria's own files inside the sandbox. */
  tempDir?(): Promise<SandboxPath>;
  /** What this environment can do, as probed. */
  capabilities?(): Promise<readonly Capability[]>;
  /** The shell state of one shell id, for a session file. */
  exportShellState?(shellId?: string): Promise<ShellStateSnapshot>;
  /** Sets the shell state of one shell id from a session file. Before its first command. */
  importShellState?(snapshot: ShellStateSnapshot, shellId?: string): Promise<void>;
  /** Words that run on the host and execute what is appended inside the sandbox, or null when not possible now. */
  execPrefix?(options?: { user?: string; interactive?: boolean }): readonly string[] | null;
  /**
   * Whether there is a sandbox now, so that asking it something makes none. Default: not known, and then one is there once
   * a command has run.
   */
  readonly isLive?: boolean;
  /**
   * Whether `spawn` takes open files of this host as a process's standard input and output (`stdinFile`, `stdoutFile`), so
   * that a large file passes without this process touching it. Only for a sandbox that *is* this host: the same kernel, the
   * same paths, and no border to keep, because a process may hold on to what it was given. An environment in another
   * process never has it. Default false.
   */
  readonly acceptsHostFiles?: boolean;
  /** True when host paths are mounted: prompts stay on whatever the provider's flags say. */
  readonly hasHostPaths?: boolean;
  /** The host folders that are seen inside, for translating paths. Default none. */
  readonly mounts?: readonly Mount[];
}

/**
 * The smallest environment a third party may hand over (SPEC 3.13). `execute` gives `{ output, exitCode }` and ends the
 * command when the signal aborts or the time is up; core checks the answer, learns the cwd, and keeps the time too.
 */
export interface MinimalEnvironment {
  execute(command: string, options: { timeoutMs: number; signal?: AbortSignal }): Promise<unknown>;
  cleanup(): unknown;
  /** Names the sandbox across processes, for named sessions. Default: random. */
  readonly id?: string;
  readonly hasHostPaths?: boolean;
  readonly mounts?: readonly Mount[];
}

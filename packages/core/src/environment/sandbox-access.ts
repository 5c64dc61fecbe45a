import type { ByteFilter } from "../secrets/stream-redactor.js";
import type { SandboxPath } from "../workdir/paths.js";
import type { TerminalEnvironment } from "./environment.js";
import type { OutputChunk, StdinSource } from "./execute-options.js";
import type { CommandResult } from "./execute-result.js";
import type { SandboxProcess, SpawnOptions } from "./sandbox-process.js";
import type { ToolEvent } from "./tool-event.js";

/** How a script of Talaria's own is run. */
export interface ScriptOptions {
  /**
   * Where it starts: as `workdir` of a command. Default: where the session stands, and then a directory that is gone is
   * a WorkdirError, because a relative path must not come to mean another file.
   */
  readonly workdir?: string | undefined;
  /**
   * `own`: a shell state of Talaria's own, which no command of the agent can have changed. `session`: with the session's
   * variables, functions and umask, and what the script changes is merged back. Default `own`.
   */
  readonly shell?: "own" | "session" | undefined;
  readonly stdin?: StdinSource | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly user?: string | undefined;
  /** Default 1 MiB. Nothing is spilled. */
  readonly maxOutputBytes?: number | undefined;
  readonly onOutput?: ((chunk: OutputChunk) => void | Promise<void>) | undefined;
  /** stdout and stderr apart. Default true: a program's complaint must not get into what a script answers. */
  readonly separate?: boolean | undefined;
}

/**
 * What the tools of a session (files, jobs, transfers) use of it. Scripts and processes started here are Talaria's own:
 * no policy judges them, no audit names them. A tool that runs what an agent wrote asks `admit` first.
 */
export interface SandboxAccess {
  /** The backend's name. */
  readonly backend: string;
  readonly environment: TerminalEnvironment;
  /** Names the session across processes: its name, else its id. Plain characters: `[A-Za-z0-9._-]+`. */
  readonly sessionName: string;
  /** Runs a script of Talaria's own to its end: one round trip. Throws as `TerminalSession.execute`, after `close()` too. */
  run(script: string, options?: ScriptOptions): Promise<CommandResult>;
  /**
   * Starts a program where the session stands, with the session's exported variables, and holds its streams. Throws
   * UnsupportedCapabilityError where the environment has no `spawn`.
   */
  spawn(
    argv: readonly string[],
    options?: Omit<SpawnOptions, "cwd"> & { readonly workdir?: string | undefined },
  ): Promise<SandboxProcess>;
  /** The home the sandbox really has. Throws UnsupportedCapabilityError when it does not tell. */
  home(): Promise<SandboxPath>;
  /** Where a host path under a mount is seen inside; any other path as it is. */
  toSandboxPath(path: string): string;
  /**
   * Asks the session's policy about a command that an agent wrote. Resolves when it may run, with notes for its reader;
   * throws CommandDeniedError otherwise. `workdir`: where it is to start, when that is not where the session stands.
   */
  admit(
    command: string,
    options?: { readonly signal?: AbortSignal | undefined; readonly workdir?: string | undefined },
  ): Promise<readonly string[]>;
  /** Tells the session what a tool did, for its audit. */
  report(event: ToolEvent): void;
  /** Takes secrets out of text that is going to be shown, logged or thrown. */
  redact(text: string): string;
  /**
   * A filter for one stream of bytes that an agent is going to see, as for the output of commands
   * (`secrets.redact_output`); undefined when nothing is to be done to it.
   */
  outputFilter(): ByteFilter | undefined;
}

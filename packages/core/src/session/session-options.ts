import type { Config } from "../config/config.js";
import type { MinimalEnvironment, TerminalEnvironment } from "../environment/environment.js";
import type { CommandOptions } from "../environment/execute-options.js";
import type { SpawnOptions } from "../environment/sandbox-process.js";
import type { FileSettings } from "../files/file-settings.js";
import type { ApprovalOptions, Approve } from "../policy/approval-options.js";
import type { TerminalEnvironmentProvider } from "../provider/provider.js";
import type { ProviderRegistry } from "../registry/provider-registry.js";

/** Options of `openSession`. */
export interface OpenSessionOptions {
  /**
   * Where commands run. A name is loaded; a provider makes a new environment; an environment is used as it is and stays
   * the caller's: `close()` does not free it. Default: the backend that the named session was on, else
   * `terminal.backend`. Leave it out unless it was asked for, so that a named session goes on where it was.
   */
  readonly backend?:
    | string
    | TerminalEnvironmentProvider
    | TerminalEnvironment
    | MinimalEnvironment
    | undefined;
  /** Keeps cwd and shell state under this name in `<TALARIA_HOME>/sessions`: `[A-Za-z0-9._-]{1,64}`. Default: not kept. */
  readonly session?: string | undefined;
  /** Where commands start, in the place of `terminal.cwd`. On a backend of host files, relative to the process's cwd. */
  readonly cwd?: string | undefined;
  /** Exported variables the session's shell begins with; commands may change and unset them. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Default: loaded from `talariaHome` for a backend by name, built-in defaults for one that is handed in. */
  readonly config?: Config | undefined;
  /** Where configuration and session files are. Default: the config's, else TALARIA_HOME, else `~/.talaria`. */
  readonly talariaHome?: string | undefined;
  /** Where backends by name are looked up and registered. Default: one of this call's own. */
  readonly registry?: ProviderRegistry | undefined;
  /** Folder whose packages count besides the project's when a backend is loaded by name. Default: core's own. */
  readonly baseDirectory?: string | undefined;
  /** Names the conversation or task the sandbox is for. Default: the session's name, else its id. */
  readonly taskId?: string | undefined;
  /** How commands are judged. Default: `approvals.*` of the configuration, and nobody to ask. */
  readonly approvals?: ApprovalOptions | undefined;
  /** Short for `approvals.approve`: asks whoever answers for this agent about a dangerous command. */
  readonly approve?: Approve | undefined;
  /**
   * Further secrets, by name, that are kept out of output, logs, errors and the audit: what a caller has in its own
   * store. Values of fewer than 8 bytes are not looked for. Default: those that Talaria knows of.
   */
  readonly secrets?: Readonly<Record<string, string>> | undefined;
  /** Whether what the session does is kept in `<TALARIA_HOME>/audit`. Default: `audit.enabled`, which is true. */
  readonly audit?: boolean | undefined;
  /** What the session's files may be used for. */
  readonly files?: FileSettings | undefined;
  /** Aborts opening. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Told once about each thing that is set and could not be used, and about a session file that could not be written.
   * Results carry the same in `notes`. Default: nobody.
   */
  readonly onWarning?: ((warning: string) => void) | undefined;
}

/** Options of `TerminalSession.execute`. */
export interface SessionCommandOptions extends CommandOptions {
  /**
   * Where this one command starts: absolute (a host path under a mount is translated), relative to the session's cwd, or
   * `~/…` in the sandbox's home. Never recorded: only a `cd` of the command moves the session. Default: the session's cwd.
   */
  readonly workdir?: string | undefined;
}

/** Options of `TerminalSession.spawn`. */
export interface SessionSpawnOptions extends Omit<SpawnOptions, "cwd"> {
  /** As for `execute`. Default: the session's cwd. */
  readonly workdir?: string | undefined;
}

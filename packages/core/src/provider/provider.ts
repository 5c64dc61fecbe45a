import { derivedCapabilities, type Capability } from "../environment/capabilities.js";
import type { MinimalEnvironment, TerminalEnvironment } from "../environment/environment.js";
import type { ConfigSchema } from "./config-schema.js";
import type { CollectOptions, CollectReport, SandboxListOptions, SandboxRecord } from "./sandbox-record.js";

/** Resources for backends with their own filesystem. What the user did not set is `undefined`, not a default. */
export interface ContainerConfig {
  readonly cpu?: number | undefined;
  readonly memoryMb?: number | undefined;
  readonly diskMb?: number | undefined;
  readonly persistent?: boolean | undefined;
}

/** A host folder that belongs to the session's work. */
export interface WorkspaceBinding {
  readonly hostPath: string;
  readonly readOnly?: boolean | undefined;
}

/** What a provider gets to make an environment. New members may appear: ignore what you do not know. */
export interface CreateEnvironmentOptions {
  /** Where commands should start: an absolute path inside the sandbox, `"~"` unexpanded, or undefined. */
  readonly cwd?: string | undefined;
  /** Default timeout of a command. */
  readonly timeoutMs?: number | undefined;
  /** Names the conversation or task the sandbox is for. Not a secret and not proof of ownership. */
  readonly taskId: string;
  readonly image?: string | undefined;
  readonly containerConfig?: ContainerConfig | undefined;
  /** The validated fields of `terminal.backends.<name>`. */
  readonly backendConfig: Readonly<Record<string, unknown>>;
  readonly workspaceBinding?: WorkspaceBinding | undefined;
  /** Variables the user passes on to the agent's commands. Already stripped of every backend's credentials. */
  readonly passEnv?: Readonly<Record<string, string>> | undefined;
  /** Credential variables of all installed backends: never let one of them reach a command. */
  readonly stripEnvKeys?: readonly string[] | undefined;
  /** `<TALARIA_HOME>`, for caches. */
  readonly talariaHome?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The name shown for a backend that gives none: `vercel_sandbox` is "Vercel Sandbox". */
export function displayNameOf(name: string): string {
  return name
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}

export type ProbeStatus = "ready" | "needs_setup" | "unavailable";

export interface ProbeResult {
  readonly status: ProbeStatus;
  /** One line for status and pickers. */
  readonly detail: string;
  /** A stable word for doctor: `ok`, `bash_missing`, `engine_down` … */
  readonly reason: string;
}

/** One row of `talaria doctor`. */
export interface DoctorCheck {
  /** Stable word, unique in the backend: `bash`, `pty`. */
  readonly id: string;
  readonly label: string;
  readonly status: "ok" | "warning" | "failed";
  readonly detail: string;
  /** What to do, when not ok. */
  readonly hint?: string | undefined;
}

/**
 * What a backend declares. A plugin registers an instance; all flags are read once, validated and frozen then
 * (`defaultCwd`, which may change, is read for every command). Construction does no I/O.
 */
export abstract class TerminalEnvironmentProvider {
  /** Value of `terminal.backend`: `[a-z0-9_]+` after trimming and lower-casing. */
  abstract readonly name: string;

  /** Shown in pickers. Default: made from the name. */
  get displayName(): string {
    return displayNameOf(this.name);
  }

  /** One line for pickers. Default empty. */
  get description(): string {
    return "";
  }

  /** Commands run off this host: host OS, home and cwd hints are left out of what a model is told. Default true. */
  get isRemote(): boolean {
    return true;
  }

  /** Own filesystem: container resources are passed on, host-looking cwds are dropped. Default true. */
  get isContainer(): boolean {
    return true;
  }

  /** Isolated enough that dangerous-command prompts are skipped. Default: `isContainer`. Set false if host paths can be mounted. */
  get skipContainerGuards(): boolean {
    return this.isContainer;
  }

  /** Where the synced cache lands inside, or null when host paths are right as they are. Default null. */
  get cachePathBase(): string | null {
    return null;
  }

  /** Credential variables of this backend: removed from every agent process on every backend. Default empty. */
  get stripEnvKeys(): readonly string[] {
    return [];
  }

  /** With `container_persistent: false` each session gets its own sandbox identity. Default false. */
  get sessionIsolatedWhenNonpersistent(): boolean {
    return false;
  }

  /** Where commands start: an absolute path inside the sandbox, `"~"` = its own home, or null. Must be cheap. Default null. */
  get defaultCwd(): string | null {
    return null;
  }

  /** The screen, computer use and the browser may live inside. Default false. */
  get supportsStreams(): boolean {
    return false;
  }

  /** Clients of `execPrefix` that join their words (OpenSSH) get the script quoted as one word. Default false. */
  get execPrefixJoinsWords(): boolean {
    return false;
  }

  /** What environments of this backend can do. Default: everything derived from `spawn`. */
  get capabilities(): readonly Capability[] {
    return derivedCapabilities;
  }

  /** Fields under `terminal.backends.<name>`. Default none. */
  get configSchema(): ConfigSchema {
    return {};
  }

  /** One line for a model when no live fact is at hand. Default: from displayName. */
  get envDescription(): string {
    return `Commands run in ${this.displayName}.`;
  }

  /** Whether environments can be made here at all. Cheap, no network, no sandbox. */
  abstract isAvailable(): boolean | Promise<boolean>;

  /** Health for status and pickers. Under 2 s, never creates a sandbox, never throws. Default: from isAvailable. */
  async probe(): Promise<ProbeResult> {
    try {
      return (await this.isAvailable())
        ? { status: "ready", detail: "available", reason: "ok" }
        : { status: "unavailable", detail: "not available on this machine", reason: "unavailable" };
    } catch (error) {
      return {
        status: "unavailable",
        detail: error instanceof Error ? error.message : String(error),
        reason: "probe_failed",
      };
    }
  }

  /** Throws a TalariaError that says what is missing. Called before an environment is made. Default: nothing. */
  async checkRequirements(_config: Readonly<Record<string, unknown>>): Promise<void> {}

  /** Rows of `talaria doctor`. Default none. */
  async doctorChecks(): Promise<readonly DoctorCheck[]> {
    return [];
  }

  /** Lines shown by `talaria setup`. Default none. */
  setupInstructions(): readonly string[] {
    return [];
  }

  /** Runs after `talaria setup` chose this backend. Default: nothing. */
  async postSetup(): Promise<void> {}

  /**
   * All sandboxes of this backend that carry Talaria's labels. For `talaria sandboxes list`. Absent on a backend whose
   * environments leave nothing behind that could be listed.
   */
  listSandboxes?(options: SandboxListOptions): Promise<readonly SandboxRecord[]>;

  /** Frees the sandboxes whose lease is `expired`, and no others. For `talaria sandboxes gc`. Present with `listSandboxes`. */
  collectSandboxes?(options: CollectOptions): Promise<CollectReport>;

  /** Makes one environment. May be slow; honours `signal`. */
  abstract createEnvironment(
    options: CreateEnvironmentOptions,
  ): Promise<TerminalEnvironment | MinimalEnvironment>;
}

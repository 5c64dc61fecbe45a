import type { Capability, OpenSessionOptions, SandboxPath, TerminalEnvironment } from "@talaria/core";
import type { Check } from "./check.js";
import type { SandboxProcesses } from "./sandbox-processes.js";
import type { SessionUnderTest } from "./session-under-test.js";

/** What a case may choose about a session it opens. */
export interface CaseSessionOptions extends Pick<
  OpenSessionOptions,
  "approvals" | "approve" | "audit" | "config" | "files" | "onWarning" | "secrets" | "session" | "talariaHome"
> {
  /** The environment to open it on. Default: the one shared by the cases of a run. */
  readonly environment?: TerminalEnvironment | undefined;
  readonly cwd?: string | undefined;
  /** Variables for every command of the session. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/**
 * What a case works with. Everything made through it is freed after the case, whether it passed or not. It looks at the
 * sandbox only by running commands there, so that a case means the same on this host and on a remote machine. Its
 * functions stand alone, made to be taken out of it.
 */
export interface CaseContext {
  /** Assertions; a case that makes none has failed. */
  readonly check: Check;
  /** A fresh session on the shared environment. */
  readonly session: SessionUnderTest;
  /** A second session on the shared environment, for looking on while the first one is busy. */
  readonly observer: SessionUnderTest;
  /** What the environment under test says that it can do. */
  readonly capabilities: ReadonlySet<Capability>;
  /** True when the sandbox is this very host, so that facts of this process can be compared. */
  readonly sandboxIsHost: boolean;
  /** Value of `terminal.backend`. */
  readonly backend: string;
  /** Processes inside the sandbox. */
  readonly processes: SandboxProcesses;
  /** Processes as another session sees them: that of an environment made by the case. */
  readonly processesSeenBy: (session: SessionUnderTest) => SandboxProcesses;
  /** Another session. */
  readonly openSession: (options?: CaseSessionOptions) => Promise<SessionUnderTest>;
  /** A fresh environment of the backend under test, with a sandbox of its own where the backend makes one. */
  readonly createEnvironment: () => Promise<TerminalEnvironment>;
  /** A fresh, empty folder inside the sandbox. */
  readonly folder: () => Promise<SandboxPath>;
  /**
   * A number that occurs nowhere else: `sleep ${mark()}` outlives the case unless it is ended, and can be found again
   * by its argument. Whatever carries a mark is killed after the case.
   */
  readonly mark: () => string;
  /** Ends the case as unsupported unless the program is in the sandbox. */
  readonly needsProgram: (name: string) => Promise<void>;
  /** Asks again and again until the probe says yes; fails naming `what` after `withinMs` (default 10,000). */
  readonly until: (what: string, probe: () => boolean | Promise<boolean>, withinMs?: number) => Promise<void>;
  /** Names what is being waited for, so that a case that runs into its deadline can say it. */
  readonly waitFor: <T>(what: string, promise: Promise<T>) => Promise<T>;
  /** Runs one more command and checks that it is unhurt by what went before. */
  readonly nextCommandWorks: (session?: SessionUnderTest) => Promise<void>;
  /** A limit in milliseconds, made longer where the run was told that the sandbox is slow. */
  readonly patience: (limitMs: number) => number;
}

import type {
  EnvironmentDescription,
  SandboxPath,
  SandboxProcess,
  SessionCache,
  SessionFiles,
  SessionJobs,
  SpawnOptions,
  TerminalEnvironment,
  TerminalSession,
} from "@talaria/core";

/** The part of a session that cases use: `TerminalSession` has it. */
export interface SessionUnderTest {
  /** Where the session stands; null until known. */
  readonly cwd: SandboxPath | null;
  readonly environment: TerminalEnvironment;
  readonly files: SessionFiles;
  readonly jobs: SessionJobs;
  readonly cache: SessionCache;
  readonly execute: TerminalSession["execute"];
  spawn(
    argv: readonly string[],
    options?: SpawnOptions & { readonly workdir?: string | undefined },
  ): Promise<SandboxProcess>;
  home(): Promise<SandboxPath>;
  describe(options?: { readonly signal?: AbortSignal | undefined }): Promise<EnvironmentDescription>;
  readonly close: TerminalSession["close"];
}

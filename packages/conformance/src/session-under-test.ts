import type {
  CommandOptions,
  ExecuteResult,
  SandboxPath,
  SandboxProcess,
  SessionFiles,
  SessionJobs,
  SpawnOptions,
  TerminalEnvironment,
} from "@talaria/core";

/** The part of a session that cases use: `TerminalSession` has it. */
export interface SessionUnderTest {
  /** Where the session stands; null until known. */
  readonly cwd: SandboxPath | null;
  readonly environment: TerminalEnvironment;
  readonly files: SessionFiles;
  readonly jobs: SessionJobs;
  execute(
    command: string,
    options?: CommandOptions & { readonly workdir?: string | undefined },
  ): Promise<ExecuteResult>;
  spawn(
    argv: readonly string[],
    options?: SpawnOptions & { readonly workdir?: string | undefined },
  ): Promise<SandboxProcess>;
  home(): Promise<SandboxPath>;
  close(): Promise<unknown>;
}

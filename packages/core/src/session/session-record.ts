import type { ShellStateSnapshot } from "../shell/shell-state.js";
import type { SandboxPath } from "../workdir/paths.js";

/** The sandbox that a cwd and a shell state belong to. They say nothing about any other. */
export interface SandboxIdentity {
  readonly backend: string;
  /** `TerminalEnvironment.id`. */
  readonly sandboxId: string;
  readonly generation: number;
}

/** What a session file keeps. */
export interface SessionRecord extends SandboxIdentity {
  /** Null until a command told where it ended. */
  readonly cwd: SandboxPath | null;
  readonly state: ShellStateSnapshot;
}

/** The state of a shell in which nothing was changed. */
export const emptyShellState: ShellStateSnapshot = Object.freeze({
  env: {},
  functions: {},
  aliases: {},
  shopt: {},
  options: {},
  umask: null,
});

export function isSameSandbox(left: SandboxIdentity, right: SandboxIdentity): boolean {
  return (
    left.backend === right.backend &&
    left.sandboxId === right.sandboxId &&
    left.generation === right.generation
  );
}

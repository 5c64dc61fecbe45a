import type { Readable, Writable } from "node:stream";

/** How a spawned process ended, as its transport reports it. */
export type ProcessExit =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "signaled"; readonly signal: string; readonly signalNumber: number }
  /** The transport ended without a status. Never read as success. */
  | { readonly kind: "lost"; readonly reason: string };

/** Size and kind of a terminal. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export interface TtyOptions extends TerminalSize {
  /** Value of TERM. Default `xterm-256color`. */
  readonly term?: string;
}

/** Options of the one primitive, `spawn`. */
export interface SpawnOptions {
  /** Directory inside the sandbox to start in; absolute. Default: the environment's own. */
  readonly cwd?: string | undefined;
  /** Variables set over the environment's own. `undefined` as a value unsets the name. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Account inside the sandbox. Needs the `user` capability. */
  readonly user?: string | undefined;
  /** A terminal instead of pipes. stdout then carries both streams. Needs the `tty` capability. */
  readonly tty?: TtyOptions | undefined;
  /**
   * An open file of this host, by its descriptor, which is the process's standard input from where it stands; `stdin` is
   * then ended. Only where the environment says `acceptsHostFiles`, and not with a tty. The caller keeps it open until the
   * process has started, and closes it.
   */
  readonly stdinFile?: number | undefined;
  /** As `stdinFile`, for the standard output; `stdout` is then empty. */
  readonly stdoutFile?: number | undefined;
  /** Ends the process (and rejects a spawn still under way) when aborted. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A process in the sandbox with its three streams held. Made by `TerminalEnvironment.spawn`; who spawns it owns it.
 * Ending the streams or losing the client ends no process by itself: call `kill`.
 */
export interface SandboxProcess {
  /** The pid in the sandbox where the transport knows it. */
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** With a tty: ends at once, empty. */
  readonly stderr: Readable;
  /** Resolves when the process ends, whether or not a child still holds a stream. Never rejects. */
  readonly exit: Promise<ProcessExit>;
  /** Sends a signal to the process and, where the transport can, its group. Default `SIGTERM`. Idempotent after exit. */
  kill(signal?: string): Promise<void>;
  /** Only with a tty. */
  resize?(size: TerminalSize): void;
}

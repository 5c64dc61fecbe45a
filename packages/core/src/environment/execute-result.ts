import type { SandboxPath } from "../workdir/paths.js";
import type { Outcome, Survivor } from "./outcome.js";
import type { SpillHandle } from "./spill-file.js";

/** What was left out of a result's output. Exact. */
export interface Truncation {
  /** All bytes the command wrote. */
  readonly totalBytes: number;
  /** Bytes that are in neither the kept head nor the kept tail. */
  readonly droppedBytes: number;
  /** Where the whole output can be paged and searched. Absent when it could not be kept: a full disk. */
  readonly spill?: SpillHandle | undefined;
}

/** When things happened, in milliseconds since `execute` was called. */
export interface CommandTiming {
  /** A channel was free. */
  readonly queuedMs: number;
  /** The channel was up (equal to `queuedMs` on a warm channel). */
  readonly connectMs: number;
  /** The first byte of output arrived; null when there was none. */
  readonly firstByteMs: number | null;
  /** The end of the command was known. */
  readonly exitMs: number;
  /** All output was in. */
  readonly drainedMs: number;
}

/** The plain data of a finished command: what an environment returns and `--json` prints. */
export interface CommandResult {
  readonly outcome: Outcome;
  /** The number for an agent (SPEC 3.2), null for `lost` and `notStarted`. */
  readonly exitCode: number | null;
  /** Both streams. In exact order when `ordered`, else in order of arrival. Decoded as UTF-8; invalid bytes become U+FFFD. */
  readonly output: string;
  readonly outputBytes: Uint8Array;
  readonly ordered: boolean;
  /** Only with `separate: true`. */
  readonly stdout?: string | undefined;
  readonly stderr?: string | undefined;
  readonly stdoutBytes?: Uint8Array | undefined;
  readonly stderrBytes?: Uint8Array | undefined;
  /** Where the session stands after the command. */
  readonly cwd: SandboxPath;
  /** False when the command ended in a way that hides its last directory: `cwd` is then the one before it. */
  readonly cwdObserved: boolean;
  /** Counts the sandboxes behind this environment, from 1. */
  readonly generation: number;
  /** True on the first result after the sandbox had to be made anew. */
  readonly recreated?: true | undefined;
  readonly truncated?: Truncation | undefined;
  /** Processes the command left running (SPEC 3.9). They are not ended. */
  readonly background?: readonly Survivor[] | undefined;
  /** Things the reader should know, in sentences: a directory that was gone, a value that was skipped. */
  readonly notes: readonly string[];
  readonly timing: CommandTiming;
}

import type { TerminalSize } from "../environment/sandbox-process.js";
import type { WatchPattern } from "./job-event.js";

/** Options of `SessionJobs.start`. */
export interface JobStartOptions {
  /** As for `execute`. Default: where the session stands. */
  readonly workdir?: string | undefined;
  /** Variables for this job, over those of the session. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /**
   * Makes the start exactly-once: a second start with the same key, from another process too, gives the first job. 1 to
   * 128 characters of `[A-Za-z0-9._:@-]`, beginning with a letter or digit. Known as long as the journal keeps the job.
   */
  readonly key?: string | undefined;
  /** What a person calls it. One line, at most 200 characters. */
  readonly label?: string | undefined;
  /** Gives it a terminal that outlives this process. Needs python3 or perl in the sandbox. */
  readonly tty?: TerminalSize | undefined;
  /**
   * `closed`: at end-of-file from the start. `open`: what `write` sends, until `closeStdin`. Default: `closed`, and with
   * a terminal always `open`.
   */
  readonly stdin?: "open" | "closed" | undefined;
  /** Texts to be told about when a line of its output has them. Its output is then followed. */
  readonly watch?: readonly WatchPattern[] | undefined;
  /** Gives up starting. Once `start` has returned it has no effect. */
  readonly signal?: AbortSignal | undefined;
}

/** A wait that can be given up. */
export interface JobWaitOptions {
  /** Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /** Rejects the wait with the signal's reason. The job goes on. */
  readonly signal?: AbortSignal | undefined;
}

export interface JobReadOptions {
  /** Most bytes of one read, 4 to 16 MiB; more only where it would end within a secret. Default 64 KiB. */
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A piece of a job's log. */
export interface JobRead {
  /** With the session's secrets taken out (`secrets.redact_output`). Offsets are those of the log all the same. */
  readonly bytes: Uint8Array;
  /** The bytes as UTF-8. While more can come, a read ends at the border of a character. */
  readonly text: string;
  /** Where the piece begins. */
  readonly offset: number;
  /** Where the next read begins. */
  readonly nextOffset: number;
  /** The job has ended and this is the end of its log. */
  readonly ended: boolean;
}

export interface JobFollowOptions {
  /** Where to begin. Default 0. */
  readonly offset?: number | undefined;
  /** Ends following with the signal's reason. The job goes on. */
  readonly signal?: AbortSignal | undefined;
}

/** What `follow` gives: one piece after the other, nothing left out, nothing twice. */
export interface JobChunk {
  /** Where in the log the piece begins. */
  readonly offset: number;
  /** With the session's secrets taken out (`secrets.redact_output`). */
  readonly bytes: Uint8Array;
  /** Where the next piece begins, and where following can be taken up again. */
  readonly nextOffset: number;
}

export interface JobStopOptions {
  /** Milliseconds between TERM and KILL. Default 2,000. */
  readonly graceMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface WaitForLogOptions extends JobWaitOptions {
  /** Where in the log to begin. Default 0. */
  readonly sinceOffset?: number | undefined;
}

/** Where `waitForLog` found its pattern. */
export interface LogMatch {
  /** The matching line, without its end and without secrets. */
  readonly line: string;
  /** Offset of the line in the log. */
  readonly offset: number;
  readonly groups: readonly (string | undefined)[];
}

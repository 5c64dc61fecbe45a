import type { KillReport } from "../environment/outcome.js";
import type { TerminalSize } from "../environment/sandbox-process.js";
import type { JobEvent } from "./job-event.js";
import type { JobInfo } from "./job-info.js";
import type {
  JobChunk,
  JobFollowOptions,
  JobRead,
  JobReadOptions,
  JobStartOptions,
  JobStopOptions,
  JobWaitOptions,
  LogMatch,
  WaitForLogOptions,
} from "./job-options.js";

/** A command that outlives the call that started it. It is known by its id; this object holds nothing that could get old. */
export interface Job {
  readonly id: string;
  /** What the journal says now. One round trip. Throws JobError when the journal no longer has it. */
  info(): Promise<JobInfo>;
  /** Waits for its end. When the time is over it resolves with what is known then: `state` is `running`. */
  wait(options?: JobWaitOptions): Promise<JobInfo>;
  /** Reads a piece of its log. Throws JobError for an offset that is negative or beyond the end of the log. */
  read(sinceOffset?: number, options?: JobReadOptions): Promise<JobRead>;
  /** Its output from an offset on, as it comes, until it has ended and all is read. Read slowly, it waits for the reader. */
  follow(options?: JobFollowOptions): AsyncIterable<JobChunk>;
  /** Sends bytes to its standard input, in the order of the calls. Throws JobError when nobody can read them. */
  write(data: string | Uint8Array, options?: JobWaitOptions): Promise<void>;
  /** Ends its standard input. With a terminal: sends the end-of-file character. Idempotent. */
  closeStdin(): Promise<void>;
  /** Sends a signal (`SIGHUP` or `HUP`) to its process group. Throws JobError when it has ended. */
  signal(name: string): Promise<void>;
  /** Ends all that it started, first by TERM, after the grace by KILL, and says what could be proven. */
  stop(options?: JobStopOptions): Promise<KillReport>;
  /** Changes the size of its terminal. Throws JobError when it has none. */
  resize(size: TerminalSize): Promise<void>;
  /** Waits until something listens on a TCP port of the sandbox. Throws JobError when the job ends first or time is over. */
  waitForPort(port: number, options?: JobWaitOptions): Promise<void>;
  /** Waits for a line of its log. Throws JobError, with the end of the log, when the job ends first or time is over. */
  waitForLog(pattern: string | RegExp, options?: WaitForLogOptions): Promise<LogMatch>;
  /** Calls back once when the job has ended, or at once when it has. Returns what takes the listener back. */
  onEnd(listener: (info: JobInfo) => void): () => void;
}

/** The jobs of a session, as `session.jobs` gives them. */
export interface Jobs {
  start(command: string, options?: JobStartOptions): Promise<Job>;
  /** All jobs the journal has, the newest first. One round trip. */
  list(): Promise<readonly JobInfo[]>;
  /** A job by its id or an unambiguous beginning of it. Throws JobError. */
  get(idOrPrefix: string): Promise<Job>;
  /** Forgets a job that has ended, with its log. Throws JobError while it runs. */
  remove(idOrPrefix: string): Promise<void>;
  /** Stops every running job of the session. */
  stopAll(options?: JobStopOptions): Promise<readonly { readonly id: string; readonly report: KillReport }[]>;
  /** Ends and pattern matches, as they happen. */
  events(options?: { readonly signal?: AbortSignal | undefined }): AsyncIterable<JobEvent>;
  /** Frees what this process holds. The jobs go on. */
  close(): Promise<void>;
}

/**
 * Where a job stands. `exited` exists only where a real wait status was seen, `signaled` where its shell was ended by a
 * signal, `stopped` where `stop` ended it. `lost`: its supervisor is gone without having written how the job ended, so
 * that nobody can tell; never read as success.
 */
export type JobState = "running" | "exited" | "signaled" | "stopped" | "lost";

/** What the journal says of a job. Plain data. */
export interface JobInfo {
  readonly id: string;
  readonly state: JobState;
  /** The number for an agent: the status, 128 + n after signal n, null while it runs and when it is lost. */
  readonly exitCode: number | null;
  /** `SIGTERM`, … when the job's shell was ended by a signal; else null. */
  readonly signal: string | null;
  /** The job's shell in the sandbox, leader of its process group. Null when it never came up. */
  readonly pid: number | null;
  /** By the sandbox's clock. */
  readonly startedAt: Date;
  /** By the sandbox's clock. Null while it runs and when it is lost. */
  readonly endedAt: Date | null;
  /** Bytes it has written so far, both streams. */
  readonly bytes: number;
  /** As given, without secrets; of a text longer than 16 KiB its beginning. */
  readonly command: string;
  /** Where it was started, as the shell names it. */
  readonly cwd: string;
  readonly label: string | null;
  readonly key: string | null;
  /** True when it has a terminal. */
  readonly tty: boolean;
  /** `open`: `write` reaches it. */
  readonly stdin: "open" | "closed";
  /** False when something it wrote could not be kept: the sandbox's disk was full. */
  readonly logComplete: boolean;
}

/** Whether nothing more is to be expected of a job. */
export function hasEnded(info: Pick<JobInfo, "state">): boolean {
  return info.state !== "running";
}

/** What a user of a shell can see of a finished script. Output as latin1, one character a byte. */
export interface ScriptRun {
  readonly stdout: string;
  readonly stderr: string;
  /** `exited 3`, `signaled SIGTERM`. */
  readonly end: string;
}

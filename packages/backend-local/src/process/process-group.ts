/** What `kill` needs to know of a process it may signal. */
export interface SignalTarget {
  /** Pid of a process that leads its own group. */
  readonly pid: number;
  /** The leader has been waited for: its pid may already belong to a stranger. */
  readonly isReaped: boolean;
}

/** Whether any process has this pid. A zombie counts: it still holds its number. */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: there is one, it is just not ours.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Signals the group led by `target.pid`. Returns whether there was someone to signal.
 *
 * A group outlives its leader, so a leader that ended does not end the duty to reach its children. The kernel hands a
 * pid out again only once no group of that number is left; a *process* with the number of a reaped leader therefore
 * means that our group is gone and the number is a stranger's.
 */
export function signalGroup(target: SignalTarget, signal: NodeJS.Signals | number): boolean {
  if (target.isReaped && exists(target.pid)) return false;
  try {
    process.kill(-target.pid, signal);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // EPERM: the group has changed its account (sudo, setuid); the caller sees it go on in its `exit`.
    if (code === "ESRCH" || code === "EPERM") return false;
    throw error;
  }
}

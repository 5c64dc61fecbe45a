import type { CommandResult, KillReport } from "@talaria/core";
import type { Messages } from "../output/messages.js";

/** Says on stderr what an exit status alone does not tell. */
export function explainOutcome(result: CommandResult, messages: Messages): void {
  for (const note of result.notes) messages.note(note);
  const { outcome } = result;
  switch (outcome.kind) {
    case "exited":
      break;
    case "signaled":
      messages.note(`the command's shell was ended by ${outcome.signal}`);
      break;
    case "timedOut":
      messages.problem(
        `the command did not end within ${formatMs(outcome.timeoutMs)} and was stopped: ${describeKill(outcome)}`,
      );
      break;
    case "cancelled":
      messages.note(`cancelled: ${describeKill(outcome)}`);
      break;
    case "lost":
      messages.problem(
        `the connection to the sandbox was lost while the command ran: ${outcome.reason}`,
        "whether the command finished is not known; look before you run it again",
      );
      break;
    case "notStarted":
      messages.problem(`the command was not started: ${outcome.detail}`);
      break;
  }
  for (const process of result.background ?? []) {
    messages.detail(`still running: ${process.pid} ${process.command}`);
  }
  const { queuedMs, connectMs, firstByteMs, exitMs, drainedMs } = result.timing;
  messages.detail(
    `${outcome.kind} in ${result.cwd}; channel after ${formatMs(queuedMs)}, up after ${formatMs(connectMs)}, ` +
      `first byte ${firstByteMs === null ? "none" : `after ${formatMs(firstByteMs)}`}, ` +
      `end after ${formatMs(exitMs)}, output complete after ${formatMs(drainedMs)}`,
  );
}

/** What a kill reached, in words. */
export function describeKill({ killed, survivors }: KillReport): string {
  const proof = {
    all: "every process it had started is gone",
    group: "its process group is gone; a process that had left the group could not be ruled out",
    unverified: "the kill was sent, but nothing could be verified",
  }[killed];
  if (survivors.length === 0) return proof;
  const left = survivors.map((survivor) => `${survivor.pid} ${survivor.command}`).join(", ");
  return `still alive: ${left}`;
}

/** Milliseconds for people: `12.3 ms`, `180,000 ms`. */
export function formatMs(ms: number): string {
  return `${ms.toLocaleString("en-US", { maximumFractionDigits: ms < 100 ? 1 : 0 })} ms`;
}

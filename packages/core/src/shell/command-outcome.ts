import type { Outcome } from "../environment/outcome.js";
import type { ChannelAnswer } from "./channel.js";
import type { CommandEnd } from "./running-command.js";
import { signalName } from "./signal-names.js";

/** What a command's end means for the caller. */
export function outcomeOf(end: CommandEnd, timeoutMs: number): Outcome {
  if (end.kind === "stopped") {
    return end.cause === "timedOut"
      ? { kind: "timedOut", timeoutMs, ...end.report }
      : { kind: "cancelled", ...end.report };
  }
  const { answer } = end;
  if (answer.kind === "died") return outcomeOfDeath(answer);
  const { kind, status } = answer.frame;
  return kind === "s"
    ? { kind: "signaled", signal: signalName(status - 128), signalNumber: status - 128 }
    : { kind: "exited", code: status };
}

/** The channel's bash only ever exits with 0, and answers before it does: any other end is a signal or a lost link. */
function outcomeOfDeath({ exit }: Extract<ChannelAnswer, { kind: "died" }>): Outcome {
  switch (exit.kind) {
    case "signaled":
      return { kind: "signaled", signal: exit.signal, signalNumber: exit.signalNumber };
    case "exited":
      return exit.code > 128
        ? { kind: "signaled", signal: signalName(exit.code - 128), signalNumber: exit.code - 128 }
        : {
            kind: "lost",
            reason: `the shell in the sandbox ended with ${exit.code} before it reported a status`,
          };
    case "lost":
      return { kind: "lost", reason: exit.reason };
  }
}

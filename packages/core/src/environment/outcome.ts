/** A process that was still alive after a kill, as far as it could be seen. */
export interface Survivor {
  readonly pid: number;
  /** Its command line, or its name in brackets when that is not readable. */
  readonly command: string;
}

/**
 * How a kill went. `all`: two independent witnesses agree that nothing of the command is left. `group`: its process
 * group is gone, more could not be shown. `unverified`: the kill was sent, nothing could be shown.
 */
export type KillProof = "all" | "group" | "unverified";

/** A kill and what is known of its effect. */
export interface KillReport {
  readonly killed: KillProof;
  readonly survivors: readonly Survivor[];
}

/** Why a command was never started. */
export type NotStartedReason = "cancelled" | "denied";

/**
 * How a command ended. `exited` exists only where a real wait status was seen.
 * `exited` and `signaled` speak of the command's shell.
 */
export type Outcome =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "signaled"; readonly signal: string; readonly signalNumber: number }
  | ({ readonly kind: "timedOut"; readonly timeoutMs: number } & KillReport)
  | ({ readonly kind: "cancelled" } & KillReport)
  | { readonly kind: "lost"; readonly reason: string }
  | { readonly kind: "notStarted"; readonly reason: NotStartedReason; readonly detail: string };

/** The number an agent sees (SPEC 3.2): null where no number would be honest. */
export function exitCodeOf(outcome: Outcome): number | null {
  switch (outcome.kind) {
    case "exited":
      return outcome.code;
    case "signaled":
      return 128 + outcome.signalNumber;
    case "timedOut":
      return 124;
    case "cancelled":
      return 130;
    case "lost":
    case "notStarted":
      return null;
  }
}

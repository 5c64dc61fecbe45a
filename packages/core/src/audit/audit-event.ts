import type { Outcome } from "../environment/outcome.js";
import type { ToolEvent } from "../environment/tool-event.js";

/** Whose doing an entry is. */
export interface AuditOrigin {
  readonly backend: string;
  /** The session's name, else its id. */
  readonly session: string;
  readonly sandboxId: string;
}

/** A command or program, before it has ended. */
export interface AuditedStart {
  readonly kind: "command";
  readonly operation: "execute" | "spawn";
  /** Shell text; of a program its words, quoted. Redacted and cut by the log. */
  readonly command: string;
  /** Where it was asked to start; null: the environment's own default. */
  readonly cwd: string | null;
  readonly user?: string | undefined;
}

/** How it ended. */
export interface AuditedEnd {
  /** Only in entries that the log makes itself, of what has not ended yet; `outcome` is then `running`. */
  readonly phase?: "start" | undefined;
  /** `failed`: it threw, `error` says why. `denied`: policy refused it, `rule` says which rule. */
  readonly outcome: Outcome["kind"] | "failed" | "denied" | "running";
  readonly exitCode: number | null;
  readonly durationMs: number;
  /** Bytes of output, dropped ones included. */
  readonly outputBytes?: number | undefined;
  /** The rule of the policy that let it run or refused it, where one had a say. */
  readonly rule?: string | undefined;
  readonly error?: string | undefined;
}

/** A command or program from its start to its end. */
export type AuditedCommand = AuditedStart & AuditedEnd;

/** Somebody was asked, or an earlier answer was used. */
export interface AuditedApproval {
  readonly kind: "approval";
  /** `approved`, `denied`, `timed_out`, or a lasting answer used or changed: `allowance_used`, `allowance_added`, `allowance_removed`. */
  readonly operation: string;
  readonly command: string;
  readonly rule: string;
  /** How far an approval reaches. */
  readonly scope?: "once" | "session" | "always" | undefined;
}

export interface AuditedSession {
  readonly kind: "session";
  readonly operation: "open" | "close";
}

/** Something that happened, as who saw it tells it. Plain data; the log redacts its texts. */
export type AuditEvent = AuditOrigin & (AuditedCommand | AuditedApproval | AuditedSession | ToolEvent);

/** The kinds of entries, for filters. */
export const auditKinds = ["command", "job", "file", "approval", "session"] as const;

export type AuditKind = (typeof auditKinds)[number];

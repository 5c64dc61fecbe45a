import type { RuleCategory } from "./rule-category.js";

/**
 * What happens to a dangerous command: `ask` whoever `approve` speaks for, `deny` it, or `off`: let it run. The hardline
 * floor and the user's deny rules hold in each.
 */
export type ApprovalMode = "ask" | "deny" | "off";

/**
 * Answer to a question about a command. `once`: this run. `session`: this text for the rest of the session. `always`: this
 * text for good, written to `approvals.allow` of the user's configuration. Anything else counts as `deny`.
 */
export type ApprovalAnswer = "once" | "session" | "always" | "deny";

/** A question about one command. */
export interface ApprovalRequest {
  /** The whole text that would run. */
  readonly command: string;
  /** The part of it that the rule is about, as Talaria understood it. */
  readonly matched: string;
  /** Id of the rule, as `talaria approvals test` names it. */
  readonly rule: string;
  readonly category: RuleCategory;
  /** Why it is asked about, in a sentence. */
  readonly reason: string;
  readonly backend: string;
  /** The session's name, else its id. */
  readonly session: string;
  /** When nobody answers within this time, the answer is `deny`. */
  readonly timeoutMs: number;
  /** Aborts when the answer is not wanted any more: time is up, or every call that asked was cancelled. */
  readonly signal: AbortSignal;
}

/**
 * Asks whoever answers for this agent. One question at a time per session; parallel calls with the same question share
 * one. Throwing counts as `deny`.
 */
export type Approve = (request: ApprovalRequest) => ApprovalAnswer | Promise<ApprovalAnswer>;

/** How a session decides about commands. What is not given comes from `approvals.*` of the configuration. */
export interface ApprovalOptions {
  /** Default: `approvals.mode`, which is `ask`. */
  readonly mode?: ApprovalMode | undefined;
  /** Default: nobody to ask, and a dangerous command is refused. */
  readonly approve?: Approve | undefined;
  /**
   * Patterns of commands that never run, besides those of `approvals.deny`. `*` and `?` as in file names; compared without
   * regard to case with each command that would run (its words joined by single spaces, its name alone, and with the
   * folder taken off), wrappers such as `sudo` seen through.
   */
  readonly deny?: readonly string[] | undefined;
  /** Commands that run without a question, besides those of `approvals.allow`: the exact text, or a pattern of all of it. */
  readonly allow?: readonly string[] | undefined;
  /** How long a question waits. Default: `approvals.timeout_seconds`, which is 300 s. */
  readonly timeoutMs?: number | undefined;
}

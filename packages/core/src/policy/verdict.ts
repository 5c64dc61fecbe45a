import type { RuleCategory } from "./rule-category.js";

/** What the policy says about a command. */
export interface Verdict {
  readonly decision: "allow" | "ask" | "deny";
  /**
   * What decided. `hardline`: nobody can allow it. `deny`: a deny rule of the user. `allowance`: it would be asked about,
   * and was allowed for the session or for good. `dangerous`: a pattern of dangerous commands. `none`: nothing matched.
   */
  readonly level: "hardline" | "deny" | "allowance" | "dangerous" | "none";
  /** The rule's id, the user's pattern, or null. */
  readonly rule: string | null;
  readonly category: RuleCategory | null;
  /** Why, in a sentence. */
  readonly reason: string;
  /** The command that the rule is about, as the shell would see it. Null where nothing matched. */
  readonly matched: string | null;
  /** The answers that would let it run; empty where none can. */
  readonly allowances: readonly ("once" | "session" | "always")[];
}

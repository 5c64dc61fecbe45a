import type { FoundCommand } from "./found-command.js";
import type { RuleCategory } from "./rule-category.js";

/** A kind of command that is refused or asked about. */
export interface CommandRule {
  /** Stable: what `talaria approvals test` and errors name. */
  readonly id: string;
  /** `hardline`: never runs, on no backend. `dangerous`: asked about. */
  readonly level: "hardline" | "dangerous";
  readonly category: RuleCategory;
  /** Which commands, for the docs. */
  readonly description: string;
  /** What is bad about it, as an end of "… : it …". */
  readonly why: string;
  /** Programs that it is about. Absent: all. */
  readonly programs?: readonly string[] | undefined;
  matches(command: FoundCommand): boolean;
}

import type { CommandRule } from "./command-rule.js";

/** A rule as it is shown: what it is about, without how it recognises it. */
export type CommandRuleFacts = Pick<CommandRule, "id" | "level" | "category" | "description" | "why">;

/** Every rule, the hardline floor first. Loaded here, and not with the package. */
export async function listCommandRules(): Promise<readonly CommandRuleFacts[]> {
  const { commandRules } = await import("./rules/all-rules.js");
  return commandRules.map(({ id, level, category, description, why }) => ({
    id,
    level,
    category,
    description,
    why,
  }));
}

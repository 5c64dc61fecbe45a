/** What a rule guards, in the order of the docs. Stable: match on it. */
export const ruleCategories = [
  "deletion",
  "disk",
  "system",
  "permissions",
  "processes",
  "accounts",
  "packages",
  "services",
  "network",
  "git",
  "database",
  "containers",
  "cloud",
  "remote_code",
  "credentials",
  "startup",
  "history",
  "unclear",
  "user",
] as const;

export type RuleCategory = (typeof ruleCategories)[number];

import type { CommandRule } from "../command-rule.js";

/** What is decided by the analysis as a whole, not by one command's words. */
export const unclearRules: readonly CommandRule[] = [
  {
    id: "unparsable",
    level: "dangerous",
    category: "unclear",
    description:
      "text that is not complete shell text: an open quote, a missing `fi`; or too long or too deep to be judged",
    why: "it cannot be told what it would run",
    matches: () => false,
  },
];

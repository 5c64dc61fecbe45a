import type { CommandRule } from "../command-rule.js";

/** Programs that print what they are given; `$(npm bin)/x` and `$(which x)` are another matter. */
const forgers = /^(?:echo|printf|base64|base32|rev|tr|xxd|sed|[gmn]?awk|cut|od|perl|python3?)$/u;

/** What is decided by the analysis as a whole, not by one command's words. */
export const unclearRules: readonly CommandRule[] = [
  {
    id: "computed_program",
    level: "dangerous",
    category: "unclear",
    description: "a program whose name is put together by another command: `$(printf '%s%s' r m) …`",
    why: "it hides what it runs",
    matches: ({ isComputed, substitutions }) =>
      isComputed === true && substitutions.some(({ name }) => forgers.test(name)),
  },
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

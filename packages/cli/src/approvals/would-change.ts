import { shellQuote, type ApprovalMode, type Verdict } from "@talaria/core";

/** What of `approvals.*` would lead to another verdict, in sentences. */
export function wouldChange(verdict: Verdict, mode: ApprovalMode, command: string): readonly string[] {
  const text = shellQuote(command);
  switch (verdict.level) {
    case "hardline":
      return ["nothing: the hardline floor holds whatever is configured"];
    case "deny":
      return [`take "${verdict.rule ?? ""}" out of approvals.deny`];
    case "allowance":
      return [
        "approvals.deny with a pattern of it: never run",
        "talaria approvals forget, with the entry that allows it: asked about",
      ];
    case "none":
      return ["approvals.deny with a pattern of it: never run"];
    case "dangerous":
      return [
        ...(verdict.decision === "allow"
          ? []
          : [`talaria approvals allow --exact ${text}: run without a question`]),
        ...(verdict.decision === "ask" ? ["--yes, or an answer at the terminal: run this once"] : []),
        ...(["ask", "deny", "off"] as const)
          .filter((other) => other !== mode)
          .map((other) => `approvals.mode ${other}: ${describeMode(other)}`),
      ];
  }
}

function describeMode(mode: ApprovalMode): string {
  return {
    ask: "every dangerous command is asked about",
    deny: "every dangerous command is refused",
    off: "every dangerous command runs; the hardline floor and approvals.deny hold",
  }[mode];
}

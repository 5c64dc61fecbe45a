import type { ApprovalMode } from "./approval-options.js";
import { isExact, matchesPattern } from "./command-pattern.js";
import { commandText, type Finding, type Findings } from "./findings.js";
import type { FoundCommand } from "./found-command.js";
import { globMatches } from "./marks.js";
import type { Verdict } from "./verdict.js";

/** What a session allows and denies at one moment. */
export interface PolicyLists {
  readonly mode: ApprovalMode;
  readonly deny: readonly string[];
  readonly allow: readonly string[];
  /** The sandbox is isolated: dangerous commands harm nobody but itself. */
  readonly skipsQuestions: boolean;
}

const allowed: Verdict = {
  decision: "allow",
  level: "none",
  rule: null,
  category: null,
  reason: "No rule speaks against it.",
  matched: null,
  allowances: [],
};

/** Decides: hardline floor, deny rules, allowances, dangerous patterns, in this order. */
export function verdictOf(text: string, { commands, findings }: Findings, lists: PolicyLists): Verdict {
  const [first] = findings;
  if (first?.rule.level === "hardline") return refused(first);
  const pattern = lists.deny.length === 0 ? undefined : denyPattern(text, commands, lists.deny);
  if (pattern !== undefined) {
    return {
      decision: "deny",
      level: "deny",
      rule: pattern.pattern,
      category: "user",
      reason: `The deny rule "${pattern.pattern}" forbids it.`,
      matched: pattern.matched,
      allowances: [],
    };
  }
  if (first === undefined) return allowed;
  const open = findings.find((finding) => !isAllowed(text, finding, lists.allow));
  if (open === undefined)
    return {
      ...dangerous(first),
      decision: "allow",
      level: "allowance",
      reason: `${sentence(first)} It is allowed.`,
    };
  if (lists.skipsQuestions) {
    return {
      ...dangerous(open),
      decision: "allow",
      reason: `${sentence(open)} Not asked about: the sandbox is isolated from the host.`,
    };
  }
  switch (lists.mode) {
    case "off":
      return {
        ...dangerous(open),
        decision: "allow",
        reason: `${sentence(open)} Not asked about: approvals.mode is off.`,
      };
    case "deny":
      return {
        ...dangerous(open),
        decision: "deny",
        reason: `${sentence(open)} approvals.mode is deny.`,
        allowances: ["always"],
      };
    case "ask":
      return dangerous(open);
  }
}

function refused(finding: Finding): Verdict {
  return {
    decision: "deny",
    level: "hardline",
    rule: finding.rule.id,
    category: finding.rule.category,
    reason: sentence(finding),
    matched: finding.matched,
    allowances: [],
  };
}

function dangerous(finding: Finding): Verdict {
  return {
    decision: "ask",
    level: "dangerous",
    rule: finding.rule.id,
    category: finding.rule.category,
    reason: sentence(finding),
    matched: finding.matched,
    allowances: ["once", "session", "always"],
  };
}

function sentence({ rule, problem }: Finding): string {
  const why = `${rule.why.charAt(0).toUpperCase()}${rule.why.slice(1)}`;
  return problem === undefined ? `${why}.` : `${why}: ${problem}.`;
}

/** The exact text covers all of it; a pattern covers the commands that it describes, each by itself. */
function isAllowed(text: string, finding: Finding, allow: readonly string[]): boolean {
  return allow.some((entry) => {
    if (entry === text || (isExact(entry) && matchesPattern(entry, text))) return true;
    return finding.problem === undefined && finding.texts.some((one) => matchesPattern(entry, one));
  });
}

function denyPattern(
  text: string,
  commands: readonly FoundCommand[],
  patterns: readonly string[],
): { readonly pattern: string; readonly matched: string } | undefined {
  const whole = text.toLowerCase();
  for (const pattern of patterns) {
    const wanted = pattern.toLowerCase();
    if (matchesPattern(wanted, whole)) return { pattern, matched: text };
    for (const command of commands) {
      const [program = ""] = command.words;
      const shown = commandText(command);
      const line = shown.toLowerCase();
      const arguments_ = line.slice(Math.min(line.length, program.length));
      const isMatch =
        matchesPattern(wanted, line) ||
        matchesPattern(wanted, command.name.toLowerCase()) ||
        matchesPattern(wanted, program.toLowerCase()) ||
        (program !== command.name && matchesPattern(wanted, `${command.name.toLowerCase()}${arguments_}`)) ||
        globMatches(program.slice(program.lastIndexOf("/") + 1).toLowerCase(), wanted);
      if (isMatch) return { pattern, matched: shown };
    }
  }
  return undefined;
}

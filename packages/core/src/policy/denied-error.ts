import { CommandDeniedError } from "../errors/errors.js";
import type { QuestionEnd } from "./approval-questions.js";
import type { Verdict } from "./verdict.js";

const longestShown = 200;

/** Says what was refused, why, and what can be done about it. */
export function deniedError(
  verdict: Verdict,
  end: QuestionEnd | undefined,
  { backend, timeoutMs = 300_000 }: { readonly backend: string; readonly timeoutMs?: number | undefined },
): CommandDeniedError {
  const matched = verdict.matched ?? "";
  const shown = matched.length > longestShown ? `${matched.slice(0, longestShown)}…` : matched;
  const rule = verdict.rule ?? "";
  const what = `The command was not run, because of ${shown === "" ? "it" : `"${shown}"`}.`;
  const who = verdict.level === "deny" ? "" : ` Rule: ${rule}.`;
  return new CommandDeniedError(rule, `${what} ${verdict.reason}${ending(end, timeoutMs)}${who}`, {
    backend,
    operation: "execute",
    hint: hintOf(verdict, end),
  });
}

function ending(end: QuestionEnd | undefined, timeoutMs: number): string {
  switch (end) {
    case "timeout":
      return ` Nobody answered the question within ${String(timeoutMs / 1000)} s.`;
    case "nobody":
      return " There is nobody to ask.";
    case undefined:
      return "";
    default:
      return " It was not approved.";
  }
}

function hintOf(verdict: Verdict, end: QuestionEnd | undefined): string {
  if (verdict.level === "hardline")
    return "Nothing can allow it. Whoever really wants it runs it without Talaria.";
  if (verdict.level === "deny") return "The rule stands in approvals.deny, or in the options of the session.";
  if (end === "nobody" || end === undefined) {
    return "Pass `approve` to openSession, or add the command to approvals.allow in your own configuration.";
  }
  return "Do it another way, or ask whoever answers for this session.";
}

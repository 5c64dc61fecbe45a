import type { ApprovalAnswer, ApprovalRequest, Approve } from "@talaria/core";
import { createInterface } from "node:readline";
import { formatSpan } from "../output/amounts.js";
import { visibleText } from "../output/visible-text.js";
import type { Invocation } from "../program/invocation.js";

/** More of a command than this is no help to who has to decide; the whole of it is in `talaria approvals test`. */
const shownCharacters = 2_000;

const answers: ReadonlyMap<string, ApprovalAnswer> = new Map([
  ["o", "once"],
  ["once", "once"],
  ["y", "once"],
  ["yes", "once"],
  ["s", "session"],
  ["session", "session"],
  ["a", "always"],
  ["always", "always"],
  ["d", "deny"],
  ["deny", "deny"],
  ["n", "deny"],
  ["no", "deny"],
  ["", "deny"],
]);

/** Who answers for the dangerous commands of one call. */
export interface Approver {
  readonly approve: Approve;
  /** Says what a person could have done, when there was a question and nobody to ask. */
  explain(): void;
}

/** With `--yes` everything is approved once; on a terminal the person is asked; else nobody approves anything. */
export function approverOf(invocation: Invocation, yes: boolean): Approver {
  if (yes) return { approve: () => "once", explain: () => undefined };
  if (invocation.stdin.isTTY && process.stderr.isTTY) {
    return { approve: (request) => askPerson(invocation, request), explain: () => undefined };
  }
  let missed: ApprovalRequest | undefined;
  return {
    approve: (request) => {
      missed = request;
      return "deny";
    },
    explain: () => {
      if (missed === undefined) return;
      invocation.messages.problem(
        `there is no terminal to ask on whether the rule ${missed.rule} may be passed over`,
        "approve it with --yes, or for good: talaria approvals allow; all about it: talaria approvals test",
      );
    },
  };
}

/** Asks on the terminal until the answer is one of the four. Nobody there to answer is `deny`. */
async function askPerson(invocation: Invocation, request: ApprovalRequest): Promise<ApprovalAnswer> {
  const { stderr, style } = invocation;
  const lines = [
    `talaria: ${style.warning("approval needed:")} ${visibleText(request.reason)}`,
    `  command:  ${shortened(request.command)}`,
    ...(request.matched === request.command ? [] : [`  part:     ${shortened(request.matched)}`]),
    `  rule:     ${request.rule} (${request.category.replaceAll("_", " ")})`,
    `  where:    ${visibleText(request.backend)}${isId(request.session) ? "" : `, session ${visibleText(request.session)}`}`,
    `  deny follows by itself after ${formatSpan(request.timeoutMs)}`,
  ];
  for (const line of lines) stderr.line(line);
  for (;;) {
    void stderr.write("  [o]nce, [s]ession, [a]lways, [d]eny? ");
    const line = await readLine(invocation.stdin, request.signal);
    if (line === undefined) {
      stderr.line();
      return "deny";
    }
    const answer = answers.get(line.trim().toLowerCase());
    if (answer !== undefined) return answer;
  }
}

/**
 * One line of the terminal; undefined at its end and when the answer is not wanted any more. The terminal stays as it is,
 * so that Ctrl-C still is a signal.
 */
async function readLine(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  const reader = createInterface({ input: stdin, terminal: false });
  try {
    return await new Promise<string | undefined>((resolve) => {
      reader.once("line", resolve);
      reader.once("close", () => {
        resolve(undefined);
      });
      signal.addEventListener(
        "abort",
        () => {
          resolve(undefined);
        },
        { once: true },
      );
    });
  } finally {
    reader.close();
    stdin.pause();
  }
}

/** A session without a name is called by its id, which tells a person nothing. */
function isId(session: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-/.test(session);
}

/** A command's text on lines of its own below the first, and never more of it than can be judged at a glance. */
function shortened(text: string): string {
  const left = text.length - shownCharacters;
  const shown =
    left <= 0
      ? text
      : `${text.slice(0, shownCharacters)} … and ${left.toLocaleString("en-US")} more characters`;
  return visibleText(shown).replaceAll("\n", "\n            ");
}

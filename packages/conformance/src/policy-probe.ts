import type { ApprovalAnswer, ApprovalRequest } from "@talaria/core";
import type { CaseContext, CaseSessionOptions } from "./case-context.js";
import type { SessionUnderTest } from "./session-under-test.js";

/**
 * A command that is asked about, and does no harm where it runs after all: it forgets a variable of its own session.
 * What follows it leaves a trace.
 */
export function askedAbout(trace: string): string {
  return `unset HISTFILE; echo ran >>${trace}`;
}

/** Checks that a session refuses a command, that nothing of it ran, and that the session is unhurt. */
export async function checkRefused(
  { check, observer, folder, nextCommandWorks }: CaseContext,
  session: SessionUnderTest,
  commandFor: (trace: string) => string,
): Promise<string> {
  const trace = `${await folder()}/ran`;
  const command = commandFor(trace);
  const { outcome, exitCode, output } = await session.execute(command);
  check.equal(outcome.kind, "notStarted", `kind of the outcome of ${command}`);
  check.equal(outcome.kind === "notStarted" && outcome.reason, "denied", `its reason, for ${command}`);
  check.equal(exitCode, null, `exitCode of ${command}`);
  check.equal(output, "", `output of ${command}`);
  check.exited(await observer.execute(`[ -e ${trace} ]`), 1, `looking for a trace of ${command}`);
  await nextCommandWorks(session);
  return outcome.kind === "notStarted" ? outcome.detail : "";
}

/** A session whose questions are counted and answered as told. */
export async function sessionThatAsks(
  { openSession }: CaseContext,
  answer: (request: ApprovalRequest) => ApprovalAnswer | Promise<ApprovalAnswer>,
  options: CaseSessionOptions = {},
): Promise<{ readonly session: SessionUnderTest; readonly asked: ApprovalRequest[] }> {
  const asked: ApprovalRequest[] = [];
  const session = await openSession({
    approvals: { mode: "ask" },
    ...options,
    approve: (request) => {
      asked.push(request);
      return answer(request);
    },
  });
  return { session, asked };
}

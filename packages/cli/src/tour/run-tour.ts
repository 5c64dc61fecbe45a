import { shellQuote, type TerminalSession } from "@talaria/core";
import { failure, success } from "../exit-status.js";
import { Cancellation } from "../program/cancellation.js";
import { formatMs } from "../exec/explain-outcome.js";
import { formatDocument } from "../output/json-document.js";
import { formatTable } from "../output/table.js";
import type { Invocation } from "../program/invocation.js";
import { openCliSession } from "../program/open-cli-session.js";
import { describeBackend } from "./backend-step.js";
import { rememberACd, runACommand } from "./session-steps.js";
import { endATree } from "./timeout-step.js";
import { followAJob, refuseACommand, writeAndPatch } from "./tool-steps.js";
import { timed, type TimedStep } from "./tour-step.js";

const backend = "local";

const nextSteps = [
  ["talaria exec -- 'echo hello'", "one command, its own exit status"],
  ["talaria exec --session work -- 'cd /tmp'", "a session that is still there tomorrow"],
  ["talaria shell --session work", "the same session by hand"],
  ["talaria files cp ./folder work:/tmp", "files and trees, into that session's sandbox"],
  ["talaria jobs start --session work -- 'npm run dev'", "a command that outlives the call"],
  ["talaria approvals test 'git push --force'", "what would be asked about, and why"],
  ["talaria audit", "what was done here"],
  ["talaria doctor", "what each backend needs on this machine"],
  ["talaria conformance local", "the contract, case by case"],
] as const;

/** Runs the tour on the local backend. The status is 1 when a step did not show what it promises. */
export async function runTour(invocation: Invocation, json: boolean): Promise<number> {
  const cancellation = new Cancellation();
  try {
    return await walk(invocation, json, cancellation.signal);
  } catch (error) {
    // Closing the session under a step makes that step fail, which is then no fault of anybody.
    if (cancellation.status !== undefined) return cancellation.status;
    throw error;
  } finally {
    cancellation.dispose();
  }
}

async function walk(invocation: Invocation, json: boolean, signal: AbortSignal): Promise<number> {
  const steps: TimedStep[] = [];
  const { stdout, style } = invocation;
  const take = async (step: Parameters<typeof timed>[0]): Promise<void> => {
    const done = await timed(step);
    steps.push(done);
    if (json) return;
    stdout.line(style.bold(`${steps.length}. ${done.title}`));
    for (const line of done.lines) stdout.line(`   ${line}`);
    stdout.line(
      `   ${done.ok ? style.good("ok") : style.bad("FAILED")} ${style.dim(`in ${formatMs(done.ms)}`)}`,
    );
    stdout.line();
  };

  if (!json)
    stdout.line(`A terminal session on this host, step by step. Everything below is really executed.\n`);
  await take(() => describeBackend(backend));
  const session = await openCliSession(invocation, { backend, signal });
  signal.addEventListener("abort", () => void session.close());
  try {
    await take(() => runACommand(session));
    const folder = await makeFolder(session);
    try {
      await take(() => rememberACd(session, folder));
      await take(() => writeAndPatch(session));
      await take(() => refuseACommand(session));
    } finally {
      if (!signal.aborted) await session.execute(`cd / && rm -rf -- ${shellQuote(folder)}`);
    }
    await take(() => endATree(session));
    await take(() => followAJob(session));
  } finally {
    await session.close();
  }

  const ok = steps.every((step) => step.ok);
  if (json) {
    await stdout.write(formatDocument({ ok, backend, steps }));
  } else {
    const total = steps.reduce((sum, step) => sum + step.ms, 0);
    stdout.line(style.bold("Timing"));
    const rows = steps.map((step, index) => [`${index + 1}.`, formatMs(step.ms), step.title]);
    for (const line of formatTable([...rows, ["", formatMs(total), "in all"]], "   ")) stdout.line(line);
    stdout.line();
    stdout.line(style.bold("What to try next"));
    for (const line of formatTable(nextSteps, "   ")) stdout.line(line);
  }
  return ok ? success : failure;
}

async function makeFolder(session: TerminalSession): Promise<string> {
  const { output } = await session.execute('mktemp -d "${TMPDIR:-/tmp}/talaria-tour.XXXXXX"');
  return output.trimEnd();
}

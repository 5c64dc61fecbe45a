import type { CommandOptions, ExecuteResult, TerminalSession } from "@talaria/core";
import { approverOf } from "../approvals/ask-person.js";
import { statusOfOutcome, talariaFailure } from "../exit-status.js";
import { defaultJobSession } from "../jobs/job-options.js";
import { formatDocument } from "../output/json-document.js";
import { isOneTarget } from "../output/one-target.js";
import type { Invocation } from "../program/invocation.js";
import { closeAndTell, isAbort } from "../program/in-session.js";
import { openCliSession } from "../program/open-cli-session.js";
import { Cancellation } from "../program/cancellation.js";
import { commandText } from "./command-text.js";
import { explainOutcome } from "./explain-outcome.js";
import { resultDocument } from "./result-document.js";
import { requireYielding, runYielding } from "./run-yielding.js";

export interface ExecOptions {
  readonly backend?: string;
  readonly session?: string;
  readonly workdir?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly user?: string;
  readonly timeoutMs?: number;
  readonly stdin?: true;
  readonly json?: true;
  readonly separate?: true;
  readonly maxOutputBytes?: number;
  readonly yes?: true;
  readonly yieldAfter?: number;
}

/** What is streamed goes through; a result nobody prints need not hold more than this of it. */
const keptWhileStreaming = 1024;

export async function runExec(
  invocation: Invocation,
  words: readonly string[],
  options: ExecOptions,
): Promise<number> {
  const command = commandText(words);
  if (options.yieldAfter !== undefined) requireYielding(options);
  const approver = approverOf(invocation, options.yes === true);
  const cancellation = new Cancellation();
  cancellation.watchReader(invocation.stdout);
  cancellation.watchReader(invocation.stderr);
  try {
    const session = await cancellation.heeded(
      openCliSession(invocation, {
        backend: options.backend,
        // A job belongs to a session that others can name.
        session: options.session ?? (options.yieldAfter === undefined ? undefined : defaultJobSession),
        approve: approver.approve,
        signal: cancellation.signal,
      }),
    );
    let status: number | undefined;
    try {
      if (options.yieldAfter === undefined) {
        const result = await executeIn(session, command, invocation, options, cancellation);
        if (options.json) await invocation.stdout.write(formatDocument(resultDocument(result)));
        if (!cancellation.isUnheard) explainOutcome(result, invocation.messages);
        status = statusOfOutcome(result.outcome, cancellation.status);
      } else {
        const { yieldAfter } = options;
        status = await runYielding(session, command, yieldAfter, invocation, options, cancellation);
      }
      approver.explain();
    } finally {
      // Said here and not thrown: it must not take the place of the command's own failure, nor of the one document.
      const isClosed = await closeAndTell(session, invocation.messages);
      if (!isClosed && status !== undefined) status = talariaFailure;
    }
    return status;
  } catch (error) {
    // Cancelled before there was a command: whatever that interrupted, it is what was asked for.
    if (cancellation.status !== undefined && isAbort(error)) return cancellation.status;
    throw error;
  } finally {
    cancellation.dispose();
  }
}

async function executeIn(
  session: TerminalSession,
  command: string,
  invocation: Invocation,
  options: ExecOptions,
  cancellation: Cancellation,
): Promise<ExecuteResult> {
  const shared = {
    workdir: options.workdir,
    env: options.env,
    user: options.user,
    timeoutMs: options.timeoutMs,
    stdin: options.stdin ? invocation.stdin : undefined,
    signal: cancellation.signal,
    forceSignal: cancellation.force,
  };
  if (options.json) {
    return session.execute(command, {
      ...shared,
      separate: options.separate,
      maxOutputBytes: options.maxOutputBytes,
    });
  }
  const onOutput: CommandOptions["onOutput"] = ({ stream, bytes }) =>
    (stream === "stderr" ? invocation.stderr : invocation.stdout).write(bytes);
  return session.execute(command, {
    ...shared,
    separate: !isOneTarget() && (await canSeparate(session)),
    maxOutputBytes: keptWhileStreaming,
    spill: false,
    onOutput,
  });
}

/** Where they cannot be had apart, what both say goes to stdout. Who holds a process's streams holds each; others are asked. */
async function canSeparate({ environment }: TerminalSession): Promise<boolean> {
  return (
    environment.spawn !== undefined ||
    (await environment.capabilities?.())?.includes("separateStreams") === true
  );
}

import { openSession, type CommandOptions, type ExecuteResult, type TerminalSession } from "@talaria/core";
import { statusOfOutcome, talariaFailure } from "../exit-status.js";
import { formatDocument } from "../output/json-document.js";
import type { Invocation } from "../program/invocation.js";
import { Cancellation } from "./cancellation.js";
import { commandText } from "./command-text.js";
import { explainOutcome } from "./explain-outcome.js";
import { resultDocument } from "./result-document.js";

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
}

/** Streams pass through: nothing of the output is kept but what the contract's smallest capture holds. */
const keptWhileStreaming = 1024;

export async function runExec(
  invocation: Invocation,
  words: readonly string[],
  options: ExecOptions,
): Promise<number> {
  const command = commandText(words);
  const cancellation = new Cancellation();
  try {
    cancellation.watchReader(invocation.stdout);
    const session = await openSession({
      backend: options.backend,
      session: options.session,
      signal: cancellation.signal,
      onWarning: (warning) => {
        invocation.messages.warning(warning);
      },
    });
    // A second Ctrl-C does not wait for the grace of the first: closing ends what still runs at once.
    cancellation.force.addEventListener("abort", () => void session.close());
    try {
      const result = await executeIn(session, command, invocation, options, cancellation);
      if (cancellation.isQuiet) return cancellation.status ?? talariaFailure;
      if (options.json) await invocation.stdout.write(formatDocument(resultDocument(result)));
      explainOutcome(result, invocation.messages);
      return statusOfOutcome(result.outcome, cancellation.status);
    } finally {
      await session.close();
    }
  } finally {
    cancellation.dispose();
  }
}

function executeIn(
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
    separate: true,
    maxOutputBytes: keptWhileStreaming,
    onOutput,
  });
}

import { InvalidArgumentError, type TerminalSession, type YieldedCommand } from "@talaria/core";
import { stillRuns, statusOfOutcome } from "../exit-status.js";
import { callerDirectory } from "../jobs/caller-directory.js";
import { bytesMember, formatDocument } from "../output/json-document.js";
import type { Cancellation } from "../program/cancellation.js";
import type { Invocation } from "../program/invocation.js";
import { explainOutcome } from "./explain-outcome.js";
import { resultDocument } from "./result-document.js";
import type { ExecOptions } from "./run-exec.js";

/** What is streamed goes through; a result nobody prints need not hold more than this of it. */
const keptWhileStreaming = 1024;

/** Throws InvalidArgumentError for what a command that may go on as a job cannot have. */
export function requireYielding({ separate, user, stdin }: ExecOptions): void {
  const [option] = [separate && "--separate", user !== undefined && "--user", stdin && "--stdin"].filter(
    (word) => typeof word === "string",
  );
  if (option === undefined) return;
  throw new InvalidArgumentError("yield-after", `--yield-after and ${option} cannot go together`, {
    operation: "exec",
    hint: "a command that goes on as a job has one log, the session's account, and no reader of this stdin: leave one of the two out",
  });
}

/**
 * Runs a command that goes on as a job when it takes longer than `seconds`. Ends with the command's status, or with
 * `stillRuns` when there is none yet: 0 would let a script go on as if the command were done.
 */
export async function runYielding(
  session: TerminalSession,
  command: string,
  seconds: number,
  invocation: Invocation,
  options: ExecOptions,
  cancellation: Cancellation,
): Promise<number> {
  const { stdout, messages } = invocation;
  const result = await session.execute(command, {
    workdir: options.workdir ?? (await callerDirectory(session)),
    env: options.env,
    timeoutMs: options.timeoutMs,
    signal: cancellation.signal,
    forceSignal: cancellation.force,
    yieldAfterMs: seconds * 1_000,
    ...(options.json
      ? { maxOutputBytes: options.maxOutputBytes }
      : {
          maxOutputBytes: keptWhileStreaming,
          spill: false,
          onOutput: ({ bytes }) => stdout.write(bytes),
        }),
  });
  if (result.yielded === undefined) {
    if (options.json) await stdout.write(formatDocument(resultDocument(result)));
    if (!cancellation.isUnheard) explainOutcome(result, messages);
    return statusOfOutcome(result.outcome, cancellation.status);
  }
  if (options.json) await stdout.write(formatDocument(yieldedDocument(session, result)));
  else tellYielded(invocation, session, result, seconds);
  return stillRuns;
}

function yieldedDocument({ name, backend }: TerminalSession, result: YieldedCommand): object {
  const { yielded, outputBytes, nextOffset, silentMs, notes } = result;
  return {
    yielded: { id: yielded.id, session: name, backend },
    exitCode: null,
    ...bytesMember("output", outputBytes),
    nextOffset,
    silentMs: Math.round(silentMs),
    notes,
  };
}

function tellYielded(
  { messages }: Invocation,
  { name = "" }: TerminalSession,
  { yielded, nextOffset, notes }: YieldedCommand,
  seconds: number,
): void {
  for (const note of notes) messages.note(note);
  // Said whatever the verbosity: without the id nobody finds the command again.
  messages.problem(
    `after ${seconds} s the command goes on as the job ${yielded.id}`,
    `talaria jobs logs -f -s ${name} --since ${nextOffset} ${yielded.id}; its status: talaria jobs wait -s ${name} ${yielded.id}`,
  );
}

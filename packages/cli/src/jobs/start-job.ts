import { approverOf } from "../approvals/ask-person.js";
import { commandText } from "../exec/command-text.js";
import { success } from "../exit-status.js";
import { formatDocument } from "../output/json-document.js";
import { inSession } from "../program/in-session.js";
import type { Invocation } from "../program/invocation.js";
import { callerDirectory } from "./caller-directory.js";
import type { JobOptions } from "./job-options.js";

export interface StartOptions extends JobOptions {
  readonly workdir?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly key?: string;
  readonly label?: string;
  readonly tty?: true;
  readonly stdin?: true;
  readonly yes?: true;
}

/** What the size of a terminal is without one to look at. */
const usualSize = { columns: 80, rows: 24 };

/** Starts a job and prints its id. */
export async function startJob(
  invocation: Invocation,
  words: readonly string[],
  options: StartOptions,
): Promise<number> {
  const command = commandText(words);
  const { stdout, messages } = invocation;
  const { backend, session: name, workdir, env, key, label, yes } = options;
  const approver = approverOf(invocation, yes === true);
  const choice = { backend, session: name, approve: approver.approve };
  return inSession(invocation, choice, async (session, { signal }) => {
    const job = await session.jobs
      .start(command, {
        workdir: workdir ?? (await callerDirectory(session)),
        env,
        key,
        label,
        stdin: options.stdin ? "open" : undefined,
        tty: options.tty ? terminalSize() : undefined,
        signal,
      })
      .finally(() => {
        approver.explain();
      });
    if (options.json)
      await stdout.write(formatDocument({ id: job.id, session: name, backend: session.backend }));
    else stdout.line(job.id);
    messages.detail(
      `a job of the session ${name} on ${session.backend}; its output: talaria jobs logs -f ${job.id}`,
    );
    return success;
  });
}

function terminalSize(): typeof usualSize {
  const { columns, rows } = process.stdout;
  return process.stdout.isTTY && columns > 0 && rows > 0 ? { columns, rows } : usualSize;
}

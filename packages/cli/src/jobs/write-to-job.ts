import { success } from "../exit-status.js";
import { InvalidArgumentError } from "@talaria/core";
import { formatDocument } from "../output/json-document.js";
import { inSession } from "../program/in-session.js";
import type { Invocation } from "../program/invocation.js";
import type { JobOptions } from "./job-options.js";

export interface WriteOptions extends JobOptions {
  readonly close?: true;
  readonly newline: boolean;
}

/** Writes to a job's stdin: the text, or this process's own stdin piece by piece. */
export async function writeToJob(
  invocation: Invocation,
  id: string,
  text: string | undefined,
  options: WriteOptions,
): Promise<number> {
  const { stdin, stdout, messages } = invocation;
  // With --close alone on a terminal there is nothing to write, and the terminal is not waited for.
  const onlyCloses = text === undefined && options.close === true && stdin.isTTY;
  if (text === undefined && stdin.isTTY && !onlyCloses) {
    throw new InvalidArgumentError("text", "what to write is read from stdin, which is a terminal", {
      operation: "jobs.write",
      hint: "give the text after the id, or redirect a file: talaria jobs write ID < file",
    });
  }
  return inSession(invocation, options, async (session, { signal }) => {
    const job = await session.jobs.get(id);
    let bytes = 0;
    const send = async (data: Uint8Array): Promise<void> => {
      await job.write(data, { signal });
      bytes += data.byteLength;
    };
    if (text !== undefined) await send(Buffer.from(options.newline ? `${text}\n` : text));
    else if (!onlyCloses) for await (const piece of stdin) await send(piece as Buffer);
    if (options.close) await job.closeStdin();
    if (options.json)
      await stdout.write(formatDocument({ id: job.id, bytes, closed: options.close === true }));
    messages.detail(`wrote ${bytes} bytes to ${job.id}`);
    return success;
  });
}

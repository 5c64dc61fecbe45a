import { InvalidArgumentError, type Job } from "@talaria/core";
import { success } from "../exit-status.js";
import { bytesMember, formatDocument, formatEvent } from "../output/json-document.js";
import { inSession } from "../program/in-session.js";
import type { Invocation } from "../program/invocation.js";
import { jobMember, stateText } from "./job-member.js";
import type { JobOptions } from "./job-options.js";

export interface LogOptions extends JobOptions {
  readonly follow?: true;
  readonly since?: number;
  readonly tail?: number;
}

/** Most of a log in one document. */
const pageBytes = 1024 * 1024;

/** Prints what a job has written; with `follow` until it ends. Leaves the job alone whatever ends this. */
export async function showLogs(invocation: Invocation, id: string, options: LogOptions): Promise<number> {
  const { stdout, messages } = invocation;
  const { since, tail, follow, json } = options;
  if (since !== undefined && tail !== undefined) {
    throw new InvalidArgumentError("tail", "--since and --tail both say where to begin", {
      operation: "jobs.logs",
      hint: "give one of them",
    });
  }
  return inSession(invocation, options, async (session, { signal }) => {
    const job = await session.jobs.get(id);
    const offset = tail === undefined ? (since ?? 0) : Math.max(0, (await job.info()).bytes - tail);
    if (follow) {
      for await (const chunk of job.follow({ offset, signal })) {
        await stdout.write(
          json
            ? formatEvent({ kind: "output", offset: chunk.offset, ...bytesMember("output", chunk.bytes) })
            : chunk.bytes,
        );
      }
      const info = await job.info();
      if (json) await stdout.write(formatEvent({ kind: "end", job: jobMember(info) }));
      else messages.note(`the job ${info.id} has ended: ${stateText(info)}`);
    } else if (json) {
      const {
        bytes,
        offset: from,
        nextOffset,
        ended,
      } = await job.read(offset, { maxBytes: pageBytes, signal });
      await stdout.write(
        formatDocument({ id: job.id, offset: from, nextOffset, ended, ...bytesMember("output", bytes) }),
      );
    } else {
      await printToEnd(invocation, job, offset, signal);
    }
    return success;
  });
}

/** What is there now, however long it is and however much is added meanwhile. */
async function printToEnd(
  { stdout }: Invocation,
  job: Job,
  from: number,
  signal: AbortSignal,
): Promise<void> {
  const end = (await job.info()).bytes;
  for (let offset = from; offset < end;) {
    const { bytes, nextOffset } = await job.read(offset, {
      maxBytes: Math.min(pageBytes, end - offset),
      signal,
    });
    if (nextOffset <= offset) return;
    await stdout.write(bytes);
    offset = nextOffset;
  }
}

import { InvalidArgumentError, JobError } from "../errors/errors.js";
import type { Journal } from "./journal.js";
import type { JobRead, JobReadOptions } from "./job-options.js";
import { readLogText } from "./log-text.js";

/** Bytes of a read that names no limit. */
export const defaultReadBytes = 64 * 1024;
/** Most bytes of one read. */
export const maxReadBytes = 16 * 1024 * 1024;

/** Throws JobError for what can be no offset. */
export function checkOffset(id: string, offset: number, backend: string): void {
  if (Number.isSafeInteger(offset) && offset >= 0) return;
  throw new JobError(
    "job_invalid",
    id,
    `A log cannot be read from offset ${String(offset)}: offsets are whole bytes from 0.`,
    {
      backend,
      operation: "jobs.read",
      hint: "Give the nextOffset of the read before, or 0.",
    },
  );
}

/** Reads one piece of a job's log. */
export async function readLog(
  journal: Journal,
  id: string,
  offset: number,
  { maxBytes = defaultReadBytes, signal }: JobReadOptions,
): Promise<JobRead & { readonly size: number }> {
  const { backend, environment } = journal.access;
  checkOffset(id, offset, backend);
  if (!Number.isInteger(maxBytes) || maxBytes < 4 || maxBytes > maxReadBytes) {
    throw new InvalidArgumentError("maxBytes", `maxBytes is a whole number from 4 to ${maxReadBytes}.`, {
      backend,
      operation: "jobs.read",
      hint: "Read more in several steps, or use follow.",
    });
  }
  // Who cannot hold a process may not carry bytes either.
  const isText = environment.spawn === undefined;
  const folder = await journal.folderOf(id, signal);
  const { outputBytes } = await journal.run(readLogText(folder, offset, maxBytes, isText), {
    maxOutputBytes: maxBytes * 2 + 4096,
    signal,
  });
  const answer = Buffer.from(outputBytes);
  const lineEnd = answer.indexOf(0x0a);
  const match = /^log ([01]) (\d+)$/.exec(answer.subarray(0, lineEnd < 0 ? 0 : lineEnd).toString("latin1"));
  if (match === null) throw journal.unknown(id);
  const size = Number(match[2]);
  if (offset > size) {
    throw new JobError(
      "job_invalid",
      id,
      `The log of the job "${id}" has ${size} bytes: offset ${offset} is beyond its end.`,
      {
        backend,
        operation: "jobs.read",
        hint: "Give the nextOffset of the read before, or 0.",
      },
    );
  }
  const rest = answer.subarray(lineEnd + 1);
  const bytes = isText ? Buffer.from(rest.toString("latin1"), "base64") : rest;
  const hasEnded = match[1] === "1";
  const isLast = hasEnded && offset + bytes.length >= size;
  const kept = isLast ? bytes : bytes.subarray(0, bytes.length - openCharacterBytes(bytes));
  return {
    bytes: kept,
    text: kept.toString("utf8"),
    offset,
    nextOffset: offset + kept.length,
    ended: isLast,
    size,
  };
}

/** Bytes at the end that begin a UTF-8 character whose rest has not come. 0 when there would be nothing else. */
function openCharacterBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length - 1); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? back : 0;
    }
  }
  return 0;
}

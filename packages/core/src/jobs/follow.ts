import type { SandboxProcess } from "../environment/sandbox-process.js";
import type { ByteFilter } from "../secrets/stream-redactor.js";
import { EnvironmentConnectionError, JobError } from "../errors/errors.js";
import type { JobChunk, JobFollowOptions } from "./job-options.js";
import type { JobWatcher } from "./job-watcher.js";
import type { Journal } from "./journal.js";
import { followText } from "./log-text.js";
import { checkOffset, readLog } from "./read-log.js";
import { shownPiece } from "./shown-output.js";

/** How often in a row following may break off without a byte in between. */
const maxRestarts = 3;
const pollBytes = 1024 * 1024;

/**
 * Follows a log to the end of its job. One process in the sandbox sends the bytes, from the offset on; the end of the job
 * and the length of its log then come from the watcher, so that nothing has to be guessed from silence.
 */
export async function* followLog(
  journal: Journal,
  watcher: JobWatcher,
  id: string,
  { offset = 0, signal }: JobFollowOptions,
): AsyncGenerator<JobChunk, void, undefined> {
  signal?.throwIfAborted();
  checkOffset(id, offset, journal.access.backend);
  const { info } = await journal.inspectOne(id, signal);
  if (offset > info.bytes) {
    throw new JobError(
      "job_invalid",
      id,
      `The log of the job "${id}" has ${info.bytes} bytes: offset ${offset} is beyond its end.`,
      {
        backend: journal.access.backend,
        operation: "jobs.follow",
        hint: "Give the nextOffset of a read before, or 0.",
      },
    );
  }
  const state = new FollowState(offset);
  const forget = await watcher.watch(id, (end) => {
    if (end !== undefined) return state.finish(end.bytes);
    // Nobody wrote how long the log is.
    void journal.inspectOne(id).then(
      (lost) => state.finish(lost.info.bytes),
      (error: unknown) => state.fail(error),
    );
  });
  const onAbort = (): void => state.fail(signal?.reason);
  const onClosing = (): void => state.fail(watcher.closing.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  if (watcher.closing.aborted) onClosing();
  else watcher.closing.addEventListener("abort", onClosing, { once: true });
  try {
    if (journal.access.environment.spawn === undefined) yield* pollLog(journal, id, state);
    else yield* streamLog(journal, id, state);
  } finally {
    forget();
    signal?.removeEventListener("abort", onAbort);
    watcher.closing.removeEventListener("abort", onClosing);
  }
}

/** The same, as it may be shown to an agent. */
export async function* followShown(
  chunks: AsyncIterable<JobChunk>,
  makeFilter: () => ByteFilter | undefined,
): AsyncGenerator<JobChunk, void, undefined> {
  let held = Buffer.alloc(0);
  let position = 0;
  for await (const { offset, bytes, nextOffset } of chunks) {
    const raw = Buffer.concat([held, bytes]);
    const { bytes: shown, heldBytes } = shownPiece(raw, false, makeFilter);
    const from = offset - held.length;
    held = Buffer.from(raw.subarray(raw.length - heldBytes));
    position = nextOffset;
    if (shown.length > 0) yield { offset: from, bytes: shown, nextOffset: nextOffset - heldBytes };
  }
  if (held.length > 0) yield { offset: position - held.length, bytes: held, nextOffset: position };
}

/** Where following is, and what it waits for: a chunk, the end, or a failure. One waiter at a time, no growing chains. */
class FollowState {
  position: number;
  /** Length of the log, once the job has ended. */
  length: number | undefined;
  failure: { readonly error: unknown } | undefined;
  #wake: () => void = () => {};

  constructor(position: number) {
    this.position = position;
  }

  get isComplete(): boolean {
    return this.length !== undefined && this.position >= this.length;
  }

  finish(length: number): void {
    this.length = length;
    this.wake();
  }

  fail(error: unknown): void {
    this.failure ??= { error };
    this.wake();
  }

  wake(): void {
    this.#wake();
  }

  async changed(): Promise<void> {
    await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  /** What counts of bytes that have come: what is written after the end of the job is no part of it. */
  take(bytes: Buffer): JobChunk | undefined {
    const rest = this.length === undefined ? bytes.length : this.length - this.position;
    const counted = bytes.subarray(0, Math.max(0, rest));
    if (counted.length === 0) return undefined;
    const offset = this.position;
    this.position += counted.length;
    return { offset, bytes: counted, nextOffset: this.position };
  }
}

async function* streamLog(
  journal: Journal,
  id: string,
  state: FollowState,
): AsyncGenerator<JobChunk, void, undefined> {
  const { access } = journal;
  const { shell } = await journal.place();
  const log = `${await journal.folderOf(id)}/log`;
  for (let restarts = 0; !state.isComplete;) {
    if (state.failure !== undefined) throw state.failure.error;
    const process = await access.spawn(
      [shell, "-c", followText, "talaria-follow", log, String(state.position)],
      {
        workdir: "/",
      },
    );
    const before = state.position;
    try {
      yield* chunksOf(process, state);
    } finally {
      await end(process);
    }
    restarts = state.position > before ? 0 : restarts + 1;
    if (!state.isComplete && restarts > maxRestarts) {
      // When the job itself was removed, that is what there is to say.
      await journal.inspectOne(id);
      throw new EnvironmentConnectionError(
        `The log of the job "${id}" could not be followed: its reader ended ${restarts} times.`,
        {
          backend: access.backend,
          operation: "jobs.follow",
          retryHint: `The job goes on. Follow again from offset ${state.position}.`,
        },
      );
    }
  }
}

async function* chunksOf(
  process: SandboxProcess,
  state: FollowState,
): AsyncGenerator<JobChunk, void, undefined> {
  process.stdin.on("error", () => {});
  process.stderr.on("error", () => {}).resume();
  const reader = process.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const came: IteratorResult<Buffer>[] = [];
  const read = (): void => {
    reader.next().then(
      (result) => {
        came.push(result);
        state.wake();
      },
      () => {
        // The link broke: what is known is how far it came.
        came.push({ done: true, value: undefined });
        state.wake();
      },
    );
  };
  read();
  while (!state.isComplete) {
    if (state.failure !== undefined) throw state.failure.error;
    const result = came.shift();
    if (result === undefined) {
      await state.changed();
      continue;
    }
    if (result.done === true) return;
    const chunk = state.take(result.value);
    if (chunk !== undefined) yield chunk;
    read();
  }
}

async function end(process: SandboxProcess): Promise<void> {
  process.stdin.end();
  process.stdout.destroy();
  await process.kill("SIGTERM").catch(() => {});
}

/** Where no process can be held: read, and when there is nothing new wait for the watcher or a moment. */
async function* pollLog(
  journal: Journal,
  id: string,
  state: FollowState,
): AsyncGenerator<JobChunk, void, undefined> {
  let pauseMs = 50;
  while (!state.isComplete) {
    if (state.failure !== undefined) throw state.failure.error;
    const { bytes } = await readLog(journal, id, state.position, { maxBytes: pollBytes });
    const chunk = state.take(Buffer.from(bytes));
    if (chunk !== undefined) {
      pauseMs = 50;
      yield chunk;
      continue;
    }
    const timer = setTimeout(() => state.wake(), pauseMs);
    pauseMs = Math.min(1_000, pauseMs * 2);
    await state.changed();
    clearTimeout(timer);
  }
}

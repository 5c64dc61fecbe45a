import type { OutputChunk } from "../../environment/execute-options.js";
import type { CommandResult } from "../../environment/execute-result.js";
import type { SandboxAccess } from "../../environment/sandbox-access.js";
import { EnvironmentConnectionError } from "../../errors/errors.js";
import type { ChannelOptions, Consume } from "./transfer-channel.js";
import { readScriptEnd, type ScriptEnd, type TransferScript } from "./transfer-script.js";

/** A command has to have a limit; a transfer is ended by its signal. */
export const transferTimeoutMs = 7 * 24 * 60 * 60 * 1000;

/** A script in a shell of its own: its traps and its `exit` must not meet those of the environment. */
function inSubshell({ text }: TransferScript): string {
  return `(\n${text}\n)`;
}

export async function sendByRun(
  access: SandboxAccess,
  script: TransferScript,
  chunks: AsyncIterable<Uint8Array>,
  { signal, operation }: ChannelOptions,
): Promise<ScriptEnd> {
  let failure: { readonly error: unknown } | undefined;
  const broken = new AbortController();
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      yield* chunks;
    } catch (error) {
      // The end of the input would look like all of it.
      failure = { error };
      broken.abort(error);
      throw error;
    }
  }
  try {
    const result = await access.run(inSubshell(script), {
      workdir: "/",
      stdin: source(),
      timeoutMs: transferTimeoutMs,
      signal: signal === undefined ? broken.signal : AbortSignal.any([signal, broken.signal]),
    });
    if (failure !== undefined) throw failure.error;
    return endOf(access, script, result, operation, signal);
  } catch (error) {
    throw failure === undefined ? error : failure.error;
  }
}

export async function receiveByRun(
  access: SandboxAccess,
  script: TransferScript,
  consume: Consume,
  { signal, operation }: ChannelOptions,
): Promise<ScriptEnd> {
  const handover = new Handover();
  const enough = new AbortController();
  const running = access
    .run(inSubshell(script), {
      workdir: "/",
      timeoutMs: transferTimeoutMs,
      maxOutputBytes: 64 * 1024,
      onOutput: ({ stream, bytes }: OutputChunk) => (stream === "stdout" ? handover.give(bytes) : undefined),
      signal: signal === undefined ? enough.signal : AbortSignal.any([signal, enough.signal]),
    })
    .finally(() => handover.end())
    .then((result) => endOf(access, script, result, operation, signal));
  // Looked at below, when what was read has been dealt with.
  running.catch(() => undefined);
  try {
    await consume(handover, () => running);
  } catch (error) {
    enough.abort(error);
    handover.abandon();
    await running.catch(() => undefined);
    signal?.throwIfAborted();
    throw error;
  }
  return running;
}

/** What a finished command says, or an error when it did not finish. */
export function endOf(
  access: SandboxAccess,
  { nonce }: TransferScript,
  { outcome, stderr, output }: CommandResult,
  operation: string,
  signal: AbortSignal | undefined,
): ScriptEnd {
  signal?.throwIfAborted();
  if (outcome.kind === "lost") {
    throw new EnvironmentConnectionError(`The sandbox was lost during the ${operation}: ${outcome.reason}`, {
      backend: access.backend,
      operation,
      retryHint: "Nothing half-written is in place. Try again when the sandbox can be reached.",
    });
  }
  return readScriptEnd(stderr ?? output, nonce);
}

/** Hands pieces from who produces to who consumes them, one at a time: the producer waits. */
class Handover implements AsyncIterable<Uint8Array> {
  #waiting: ((piece: IteratorResult<Uint8Array>) => void) | undefined;
  #piece: { readonly bytes: Uint8Array; readonly taken: () => void } | undefined;
  #isEnded = false;
  #isAbandoned = false;

  give(bytes: Uint8Array): Promise<void> {
    if (this.#isAbandoned) return Promise.resolve();
    const waiting = this.#waiting;
    if (waiting !== undefined) {
      this.#waiting = undefined;
      waiting({ done: false, value: bytes });
      return Promise.resolve();
    }
    return new Promise((taken) => (this.#piece = { bytes, taken }));
  }

  end(): void {
    this.#isEnded = true;
    this.#waiting?.({ done: true, value: undefined });
    this.#waiting = undefined;
  }

  abandon(): void {
    this.#isAbandoned = true;
    this.#piece?.taken();
    this.#piece = undefined;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return {
      next: () => {
        const piece = this.#piece;
        if (piece !== undefined) {
          this.#piece = undefined;
          piece.taken();
          return Promise.resolve({ done: false, value: piece.bytes });
        }
        if (this.#isEnded) return Promise.resolve({ done: true, value: undefined });
        return new Promise((resolve) => (this.#waiting = resolve));
      },
    };
  }
}

import type { TerminalSession } from "@talaria/core";
import { failure } from "../exit-status.js";
import type { Messages } from "../output/messages.js";
import { Cancellation } from "./cancellation.js";
import type { Invocation } from "./invocation.js";
import { openCliSession, type CliSessionOptions } from "./open-cli-session.js";

/**
 * Opens the session a command line asks for, does `work` in it, and closes it whatever happens. Returns what `work`
 * returns; 128 + n when a signal, or 141 when the reader of stdout ended it before its work was done.
 */
export async function inSession(
  invocation: Invocation,
  options: Omit<CliSessionOptions, "signal">,
  work: (session: TerminalSession, cancellation: Cancellation) => Promise<number>,
): Promise<number> {
  let isClosing = false;
  const cancellation = new Cancellation();
  cancellation.watchReader(invocation.stdout);
  try {
    const session = await cancellation.heeded(
      openCliSession(invocation, {
        ...options,
        signal: cancellation.signal,
        // That jobs outlive the call is what they are for; whatever else fails while closing is thrown.
        isHeard: () => !isClosing,
      }),
    );
    let status: number | undefined;
    try {
      status = await work(session, cancellation);
    } finally {
      isClosing = true;
      const isClosed = await closeAndTell(session, invocation.messages);
      if (!isClosed && status !== undefined) status = failure;
    }
    // A tool whose reader has gone away ends by that, whether or not it noticed in the middle of something.
    return cancellation.isUnheard ? (cancellation.status ?? status) : status;
  } catch (error) {
    // Given up on: whatever that interrupted, it is what was asked for.
    if (cancellation.status !== undefined && isAbort(error, cancellation.signal)) return cancellation.status;
    throw error;
  } finally {
    cancellation.dispose();
  }
}

/** Closes a session. False when that failed, which is then on stderr: it must not take the place of another failure. */
export async function closeAndTell(session: TerminalSession, messages: Messages): Promise<boolean> {
  try {
    await session.close();
    return true;
  } catch (error) {
    messages.error(error);
    return false;
  }
}

/** Whether an error is an abort, or what a signal was aborted with. */
export function isAbort(error: unknown, signal?: AbortSignal): boolean {
  if (signal?.aborted === true && error === signal.reason) return true;
  return error instanceof Error && error.name === "AbortError";
}

import { loadConfig, openSession, type OpenSessionOptions, type TerminalSession } from "@talaria/core";
import type { Invocation } from "./invocation.js";

/** What a command line says about its session. */
export interface CliSessionOptions extends Pick<
  OpenSessionOptions,
  "backend" | "session" | "signal" | "approve" | "approvals"
> {
  /** Whether a warning is still of interest. Default: always. */
  readonly isHeard?: (() => boolean) | undefined;
}

/** What takes longer than this is said to be under way. */
const quietMs = 2_000;

/** Opens the session a command line asks for. What was set and could not be used is said as a warning. */
export async function openCliSession(
  { messages }: Invocation,
  { backend, session, signal, approve, approvals, isHeard = () => true }: CliSessionOptions,
): Promise<TerminalSession> {
  const onWarning = (warning: string): void => {
    if (isHeard()) messages.warning(warning);
  };
  const config = await loadConfig();
  for (const warning of config.warnings) onWarning(warning);
  const waiting = setTimeout(() => {
    messages.note("the sandbox is being made ready …");
  }, quietMs);
  try {
    return await openSession({ config, backend, session, signal, approve, approvals, onWarning });
  } finally {
    clearTimeout(waiting);
  }
}

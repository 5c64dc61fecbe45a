import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  openSession,
  type MinimalEnvironment,
  type TerminalEnvironment,
  type TerminalEnvironmentProvider,
} from "@talaria/core";
import type { CaseSessionOptions } from "./case-context.js";
import type { SessionUnderTest } from "./session-under-test.js";

/** What a backend's factory may hand over. */
export type ConformanceSubject = TerminalEnvironmentProvider | TerminalEnvironment | MinimalEnvironment;

/**
 * The backend to run the suite against: its name (as the user configured it), a provider, or a factory. A factory that
 * makes environments is called for every fresh one that a case asks for.
 */
export type ConformanceBackend =
  | string
  | TerminalEnvironmentProvider
  | (() => ConformanceSubject | Promise<ConformanceSubject>);

/** A backend made ready for the suite: what can open sessions on it. */
export interface Target {
  readonly sandboxIsHost: boolean;
  /** A session on an environment of its own. */
  openFresh(): Promise<SessionUnderTest>;
  /** A session on an environment that is there already. */
  openOn(
    environment: TerminalEnvironment,
    options: Omit<CaseSessionOptions, "environment">,
  ): Promise<SessionUnderTest>;
  /** Removes what making it ready had left on the host. */
  close(): Promise<void>;
}

/**
 * The suite's own commands are no agent's: they may do what somebody would have to be asked about, and are nobody's to
 * look up afterwards. A case about policy or the audit says otherwise.
 */
const unasked = { approvals: { mode: "off" }, audit: false } as const;

function isProvider(subject: ConformanceSubject): subject is TerminalEnvironmentProvider {
  return "createEnvironment" in subject;
}

/**
 * A backend given by name runs with the user's configuration; anything else under an empty home, so that a run does not
 * depend on who starts it and leaves nothing in their home.
 */
export async function resolveTarget(
  backend: ConformanceBackend,
  sandboxIsHost: boolean | undefined,
): Promise<Target> {
  if (typeof backend === "string") {
    return {
      sandboxIsHost: sandboxIsHost ?? backend.trim().toLowerCase() === "local",
      openFresh: () => openSession({ ...unasked, backend }),
      openOn: (environment, options) => openSession({ ...unasked, ...options, backend: environment }),
      close: async () => undefined,
    };
  }

  // The first subject says what the factory makes; an environment among them is the first that is used.
  let next: ConformanceSubject | undefined = typeof backend === "function" ? await backend() : backend;
  const provider = isProvider(next) ? next : undefined;
  const talariaHome = await mkdtemp(join(tmpdir(), "talaria-conformance-home-"));
  return {
    sandboxIsHost: sandboxIsHost ?? (provider !== undefined && !provider.isRemote),
    async openFresh() {
      if (provider !== undefined) return openSession({ ...unasked, backend: provider, talariaHome });
      const subject = next ?? (typeof backend === "function" ? await backend() : backend);
      next = undefined;
      return openSession({ ...unasked, backend: subject, talariaHome });
    },
    openOn: (environment, options) =>
      openSession({ talariaHome, ...unasked, ...options, backend: environment }),
    close: () => rm(talariaHome, { recursive: true, force: true }),
  };
}

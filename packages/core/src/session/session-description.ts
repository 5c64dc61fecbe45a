import {
  describeEnvironment,
  type DescribedSession,
  type EnvironmentDescription,
} from "../description/describe-environment.js";
import { readFacts, type EnvironmentFacts } from "../description/environment-facts.js";
import type { SandboxAccess } from "../environment/sandbox-access.js";

/** Asks a live sandbox about itself, once per sandbox, and puts it into words. */
export class SessionDescription {
  readonly #access: SandboxAccess;
  readonly #session: () => DescribedSession;
  #known: { readonly generation: number; readonly facts: EnvironmentFacts } | undefined;

  constructor(access: SandboxAccess, session: () => DescribedSession) {
    this.#access = access;
    this.#session = session;
  }

  /** Never makes a sandbox: of one that is not there yet, only what is known without it is said. */
  async describe(signal: AbortSignal | undefined): Promise<EnvironmentDescription> {
    const { environment } = this.#access;
    const session = this.#session();
    const isLive = session.kind === "host" || (environment.isLive ?? session.cwd !== null);
    if (!isLive) return describeEnvironment(session, null);
    if (this.#known?.generation !== environment.generation) {
      const facts = await readFacts(this.#access, signal);
      this.#known = { generation: environment.generation, facts };
    }
    return describeEnvironment(session, this.#known.facts);
  }
}

import type {
  ExecuteResult,
  SandboxPath,
  SandboxProcess,
  SessionFiles,
  SessionJobs,
  TerminalEnvironment,
} from "@talaria/core";
import type { Waits } from "./deadline.js";
import { show } from "./failure-text.js";
import type { SessionUnderTest } from "./session-under-test.js";

/** Passes everything on to a session and names it as what is being waited for. */
export class ObservedSession implements SessionUnderTest {
  readonly #inner: SessionUnderTest;
  readonly #waits: Waits;

  constructor(inner: SessionUnderTest, waits: Waits) {
    this.#inner = inner;
    this.#waits = waits;
  }

  get cwd(): SandboxPath | null {
    return this.#inner.cwd;
  }

  get environment(): TerminalEnvironment {
    return this.#inner.environment;
  }

  get files(): SessionFiles {
    return this.#inner.files;
  }

  get jobs(): SessionJobs {
    return this.#inner.jobs;
  }

  execute(...call: Parameters<SessionUnderTest["execute"]>): Promise<ExecuteResult> {
    return this.#waits.during(`execute(${show(call[0])})`, this.#inner.execute(...call));
  }

  spawn(...call: Parameters<SessionUnderTest["spawn"]>): Promise<SandboxProcess> {
    return this.#waits.during(`spawn(${show(call[0])})`, this.#inner.spawn(...call));
  }

  home(): Promise<SandboxPath> {
    return this.#waits.during("home()", this.#inner.home());
  }

  async close(): Promise<void> {
    await this.#waits.during("close() of the session", this.#inner.close());
  }
}

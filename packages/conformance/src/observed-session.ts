import type {
  EnvironmentDescription,
  SandboxPath,
  SandboxProcess,
  SessionCache,
  SessionFiles,
  SessionJobs,
  TerminalEnvironment,
  TerminalSession,
} from "@talaria/core";
import type { Waits } from "./deadline.js";
import { show } from "./failure-text.js";
import type { SessionUnderTest } from "./session-under-test.js";

/** Passes everything on to a session and names it as what is being waited for. */
export class ObservedSession implements SessionUnderTest {
  readonly #inner: SessionUnderTest;
  readonly #waits: Waits;
  readonly execute: TerminalSession["execute"];

  constructor(inner: SessionUnderTest, waits: Waits) {
    this.#inner = inner;
    this.#waits = waits;
    const execute = (command: string, options: Parameters<TerminalSession["execute"]>[1]): Promise<unknown> =>
      waits.during(`execute(${show(command)})`, inner.execute(command, options));
    this.execute = execute as TerminalSession["execute"];
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

  get cache(): SessionCache {
    return this.#inner.cache;
  }

  get jobs(): SessionJobs {
    return this.#inner.jobs;
  }

  spawn(...call: Parameters<SessionUnderTest["spawn"]>): Promise<SandboxProcess> {
    return this.#waits.during(`spawn(${show(call[0])})`, this.#inner.spawn(...call));
  }

  home(): Promise<SandboxPath> {
    return this.#waits.during("home()", this.#inner.home());
  }

  describe(...call: Parameters<SessionUnderTest["describe"]>): Promise<EnvironmentDescription> {
    return this.#waits.during("describe()", this.#inner.describe(...call));
  }

  close(...call: Parameters<TerminalSession["close"]>): ReturnType<TerminalSession["close"]> {
    return this.#waits.during("close() of the session", this.#inner.close(...call));
  }
}

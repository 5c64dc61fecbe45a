import { capabilityNames, type Capability, type TerminalEnvironment } from "@talaria/core";
import type { SessionUnderTest } from "./session-under-test.js";
import type { Target } from "./target.js";

/** The environment that the cases of a run share, with a session to look on from. */
export class SharedEnvironment {
  readonly target: Target;
  readonly capabilities: ReadonlySet<Capability>;
  /** Opened with the environment and never under test. */
  readonly observer: SessionUnderTest;

  private constructor(target: Target, observer: SessionUnderTest, capabilities: ReadonlySet<Capability>) {
    this.target = target;
    this.observer = observer;
    this.capabilities = capabilities;
  }

  static async create(target: Target): Promise<SharedEnvironment> {
    const observer = await target.openFresh();
    const { environment } = observer;
    // Who does not say what it can do is held to everything that needs no saying.
    const capabilities = (await environment.capabilities?.()) ?? capabilityNames.slice(0, 0);
    return new SharedEnvironment(target, observer, new Set(capabilities));
  }

  get environment(): TerminalEnvironment {
    return this.observer.environment;
  }

  async close(): Promise<void> {
    const { environment } = this.observer;
    await this.observer.close();
    await environment.cleanup();
  }
}

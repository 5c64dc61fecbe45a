import type { TerminalEnvironment } from "../../src/environment/environment.js";
import { TerminalEnvironmentProvider } from "../../src/provider/provider.js";

/** The least a provider has to say. */
export class SampleProvider extends TerminalEnvironmentProvider {
  readonly name: string;

  constructor(name = "sample") {
    super();
    this.name = name;
  }

  isAvailable(): boolean {
    return true;
  }

  createEnvironment(): Promise<TerminalEnvironment> {
    return Promise.reject(new Error("not part of these tests"));
  }
}

/** A provider with some members answered by functions that are called at every read. */
export function providerWith(
  getters: Readonly<Record<string, () => unknown>>,
  name = "sample",
): TerminalEnvironmentProvider {
  const provider = new SampleProvider(name);
  for (const [member, get] of Object.entries(getters)) {
    Object.defineProperty(provider, member, { get, configurable: true });
  }
  return provider;
}

import type { TerminalEnvironment } from "../../src/environment/environment.js";
import { TerminalEnvironmentProvider, type CreateEnvironmentOptions } from "../../src/provider/provider.js";

export interface FakeProviderOptions {
  readonly environment: TerminalEnvironment;
  readonly isContainer?: boolean;
  readonly isRemote?: boolean;
  readonly defaultCwd?: () => string | null;
}

/** A fake of a provider: hands out the environment it was given and keeps what it was asked. */
export class FakeProvider extends TerminalEnvironmentProvider {
  readonly name: string;
  readonly created: CreateEnvironmentOptions[] = [];
  readonly #options: FakeProviderOptions;

  constructor(options: FakeProviderOptions) {
    super();
    this.#options = options;
    this.name = options.environment.backend;
  }

  override get isContainer(): boolean {
    return this.#options.isContainer ?? true;
  }

  override get isRemote(): boolean {
    return this.#options.isRemote ?? true;
  }

  override get defaultCwd(): string | null {
    return this.#options.defaultCwd?.() ?? null;
  }

  isAvailable(): boolean {
    return true;
  }

  async createEnvironment(options: CreateEnvironmentOptions): Promise<TerminalEnvironment> {
    this.created.push(options);
    return this.#options.environment;
  }
}

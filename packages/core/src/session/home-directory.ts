import type { TerminalEnvironment } from "../environment/environment.js";
import { EnvironmentConnectionError } from "../errors/errors.js";
import type { SandboxPath } from "../workdir/paths.js";

/** Shell state of Talaria's own questions: never that of a session. */
export const questionShellId = "talaria-question";

/**
 * The home the sandbox really has, asked once per sandbox (SPEC 2.6). A symlinked home has two names, and a directory
 * below either of them is the sandbox's own (SPEC 2.3).
 */
export class HomeDirectory {
  readonly #environment: TerminalEnvironment;
  readonly #needsBothNames: boolean;
  #generation = 0;
  #homes: readonly SandboxPath[] | null | undefined;
  #asking: Promise<void> | undefined;

  constructor(environment: TerminalEnvironment, options: { readonly needsBothNames: boolean }) {
    this.#environment = environment;
    this.#needsBothNames = options.needsBothNames;
  }

  /** All its names; null = the sandbox cannot tell; undefined = not asked yet. */
  get names(): readonly SandboxPath[] | null | undefined {
    return this.#generation === this.#environment.generation ? this.#homes : undefined;
  }

  /** Asks unless it is known. Throws only for an environment that cannot be reached. */
  async ask(): Promise<readonly SandboxPath[] | null> {
    if (this.names === undefined) {
      this.#asking ??= this.#ask().finally(() => (this.#asking = undefined));
      await this.#asking;
    }
    return this.#homes ?? null;
  }

  async #ask(): Promise<void> {
    const generation = this.#environment.generation;
    const home = await this.#homeOf();
    const physical = home !== null && this.#needsBothNames ? await this.#physicalName(home) : home;
    this.#homes = home === null ? null : physical === null || physical === home ? [home] : [home, physical];
    this.#generation = generation;
  }

  async #homeOf(): Promise<SandboxPath | null> {
    try {
      const home: unknown = await this.#environment.home?.();
      return typeof home === "string" && home.startsWith("/") ? (home as SandboxPath) : null;
    } catch (error) {
      if (error instanceof EnvironmentConnectionError) throw error;
      return null;
    }
  }

  async #physicalName(home: SandboxPath): Promise<SandboxPath | null> {
    try {
      const { outcome, output } = await this.#environment.execute("pwd -P", {
        start: { path: home, ifMissing: "fail" },
        shellId: questionShellId,
      });
      const path = output.replace(/\n$/, "");
      const isAnswer = outcome.kind === "exited" && outcome.code === 0 && path.startsWith("/");
      return isAnswer ? (path as SandboxPath) : null;
    } catch (error) {
      if (error instanceof EnvironmentConnectionError) throw error;
      // The home does not exist or cannot be entered: then it has the one name.
      return null;
    }
  }
}

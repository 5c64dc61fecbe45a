import type { TerminalEnvironment } from "../environment/environment.js";
import { fromShellBytes, toShellBytes } from "../shell/shell-bytes.js";
import type { ShellStateSnapshot } from "../shell/shell-state.js";
import { emptyShellState } from "./session-record.js";

type Variables = Readonly<Record<string, string>>;

/** Set by whoever starts a process; a shell's own memory of them would be wrong there. */
const ownToAProcess: ReadonlySet<string> = new Set(["PWD", "OLDPWD", "SHLVL", "_"]);

/**
 * The shell state a session begins with. It is handed over to an environment that remembers, once per sandbox; one that
 * does not gets the variables with every call.
 */
export class SessionShell {
  readonly #environment: TerminalEnvironment;
  readonly #shellId: string;
  readonly #env: Variables;
  readonly #initial: ShellStateSnapshot;
  #generation = 0;
  #preparing: Promise<void> | undefined;

  /** `kept` is the state from a session file; `env` is laid over it, and over every later sandbox's own. */
  constructor(
    environment: TerminalEnvironment,
    shellId: string,
    env: Variables,
    kept: ShellStateSnapshot | undefined,
  ) {
    this.#environment = environment;
    this.#shellId = shellId;
    this.#env = env;
    this.#initial = withVariables(kept ?? emptyShellState, env);
  }

  /** Hands the state over where that has not been done for this sandbox yet. Idempotent; calls keep their order. */
  async prepare(): Promise<void> {
    if (this.#preparing === undefined && this.#generation !== this.#environment.generation) {
      this.#preparing = this.#prepare().finally(() => (this.#preparing = undefined));
    }
    await this.#preparing;
  }

  /** Variables of one call. */
  callEnvironment(env: Variables | undefined): Variables | undefined {
    return this.#remembers || Object.keys(this.#env).length === 0 ? env : { ...this.#env, ...env };
  }

  /** What the shell exports over the sandbox's own; undefined = unset. */
  async exported(): Promise<Record<string, string | undefined>> {
    await this.prepare();
    const state = await this.#environment.exportShellState?.(this.#shellId);
    if (state === undefined) return { ...this.#env };
    const entries = Object.entries(state.env).filter(([name]) => !ownToAProcess.has(name));
    return Object.fromEntries(
      entries.map(([name, value]) => [
        fromShellBytes(name),
        value === null ? undefined : fromShellBytes(value),
      ]),
    );
  }

  get #remembers(): boolean {
    return this.#environment.importShellState !== undefined;
  }

  async #prepare(): Promise<void> {
    const generation = this.#environment.generation;
    const isFirst = this.#generation === 0;
    const state = isFirst ? this.#initial : withVariables(emptyShellState, this.#env);
    if (!isEmpty(state)) await this.#environment.importShellState?.(state, this.#shellId);
    this.#generation = generation;
  }
}

function withVariables(state: ShellStateSnapshot, env: Variables): ShellStateSnapshot {
  const added = Object.entries(env).map(
    ([name, value]) => [toShellBytes(name), toShellBytes(value)] as const,
  );
  return added.length === 0
    ? state
    : { ...state, env: Object.fromEntries([...Object.entries(state.env), ...added]) };
}

function isEmpty({ umask, ...maps }: ShellStateSnapshot): boolean {
  return umask === null && Object.values(maps).every((map) => Object.keys(map).length === 0);
}

import { accountVariables, type Account } from "./account/account.js";

export interface CommandEnvironmentParts {
  /** The allowlisted part of this process's environment. */
  readonly base: Readonly<Record<string, string>>;
  /** What the login shell adds. */
  readonly login: Readonly<Record<string, string>>;
  /** What the user passes on by name or by value. */
  readonly passed: Readonly<Record<string, string>>;
  /** Credential variables of all backends. */
  readonly stripEnvKeys: readonly string[];
}

/** Programs must not wait for a reader, a password or a terminal that is not there (SPEC 3.12). */
const unattended: Readonly<Record<string, string>> = {
  PAGER: "cat",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
};

/**
 * The environments of an environment's processes. Put together once: starting a process is then one spread.
 * Later wins: allowlist, login shell, defaults for unattended programs, what the user passes, the command's own.
 */
export class CommandEnvironment {
  readonly #parts: CommandEnvironmentParts;
  readonly #own: Readonly<Record<string, string>>;

  constructor(parts: CommandEnvironmentParts) {
    this.#parts = parts;
    this.#own = this.#compose({ ...parts.base, ...parts.login });
  }

  /** The environment of one process. `term` is the type of its terminal, undefined without one. */
  for(
    options: {
      readonly env?: Readonly<Record<string, string | undefined>> | undefined;
      readonly term?: string | undefined;
      readonly account?: Account | undefined;
    } = {},
  ): Record<string, string> {
    const { env, term, account } = options;
    const composed: Record<string, string> = {
      ...(account === undefined ? this.#own : this.#ofAccount(account)),
    };
    if (term !== undefined) composed["TERM"] = term;
    for (const [name, value] of Object.entries(env ?? {})) {
      if (value === undefined) delete composed[name];
      else composed[name] = value;
    }
    // After the caller's own, too: no way in.
    for (const name of this.#parts.stripEnvKeys) delete composed[name];
    return composed;
  }

  /** What a login shell set up for this account is not another's, nor are the folders named by XDG variables. */
  #ofAccount(account: Account): Record<string, string> {
    const shared = Object.entries(this.#parts.base).filter(([name]) => !name.startsWith("XDG_"));
    return this.#compose({ ...Object.fromEntries(shared), ...accountVariables(account) });
  }

  #compose(start: Readonly<Record<string, string>>): Record<string, string> {
    const composed: Record<string, string> = { ...start, ...unattended, TERM: "dumb", ...this.#parts.passed };
    for (const name of this.#parts.stripEnvKeys) delete composed[name];
    return composed;
  }
}

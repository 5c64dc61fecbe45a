import { fromShellBytes } from "../shell/shell-bytes.js";
import type { ShellStateSnapshot } from "../shell/shell-state.js";

/** What of a session's state must not be kept. */
export interface StateFilter {
  /** Whether a variable is left out, by its name. */
  isForbidden(name: string): boolean;
  /** Whether a text is, wherever it stands: an innocent name may hold a secret too. */
  holdsSecret(text: string): boolean;
}

/**
 * The state without what may not be written to disk (SPEC 3.11): variables by their names, and variables, functions and
 * aliases by what is in them. Not even their names stay.
 */
export function withoutSecrets(state: ShellStateSnapshot, filter: StateFilter): ShellStateSnapshot {
  const free = <T>(entries: Readonly<Record<string, T>>, textOf: (entry: T) => string): Record<string, T> =>
    Object.fromEntries(
      Object.entries(entries).filter(([, entry]) => !filter.holdsSecret(fromShellBytes(textOf(entry)))),
    );
  const env = Object.entries(free(state.env, (value) => value ?? ""));
  return {
    ...state,
    env: Object.fromEntries(env.filter(([name]) => !filter.isForbidden(name))),
    functions: free(state.functions, ({ body }) => body),
    aliases: free(state.aliases, (text) => text),
  };
}

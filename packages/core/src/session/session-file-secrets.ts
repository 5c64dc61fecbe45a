import type { ShellStateSnapshot } from "../shell/shell-state.js";

/** Whether a variable must not be kept, by its name. */
export type NameFilter = (name: string) => boolean;

/** The state without the variables that may not be written to disk (SPEC 3.11): not even their names stay. */
export function withoutSecrets(state: ShellStateSnapshot, isForbidden: NameFilter): ShellStateSnapshot {
  const env = Object.entries(state.env).filter(([name]) => !isForbidden(name));
  return { ...state, env: Object.fromEntries(env) };
}

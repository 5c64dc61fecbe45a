import type { ShellStateSnapshot } from "./shell-state.js";
import type { ShellFunction, StateDump } from "./state-dump.js";

/** The part of a shell's state that goes from command to command and from channel to channel. Never changed in place. */
export interface CarriedState {
  readonly env: ReadonlyMap<string, string>;
  readonly functions: ReadonlyMap<string, ShellFunction>;
  readonly aliases: ReadonlyMap<string, string>;
  readonly options: ReadonlySet<string>;
  readonly shopt: ReadonlySet<string>;
  readonly umask: string;
}

const sameText = (a: string, b: string): boolean => a === b;
const sameFunction = (a: ShellFunction, b: ShellFunction): boolean =>
  a.body === b.body && a.exported === b.exported;

/** The carried part of a dump. Functions the dump does not speak of are those of `before`. */
export function carriedStateOf(dump: StateDump, before?: CarriedState): CarriedState {
  const { env, aliases, options, shopt, umask } = dump;
  return { env, aliases, options, shopt, umask, functions: dump.functions ?? before?.functions ?? new Map() };
}

/** What one map must gain (a value) and lose (undefined) to become another. */
function mapChanges<T>(
  from: ReadonlyMap<string, T>,
  to: ReadonlyMap<string, T>,
  same: (a: T, b: T) => boolean,
): Map<string, T | undefined> {
  const changes = new Map<string, T | undefined>();
  if (from === to) return changes;
  for (const [name, value] of to) {
    const old = from.get(name);
    if (old === undefined || !same(old, value)) changes.set(name, value);
  }
  for (const name of from.keys()) if (!to.has(name)) changes.set(name, undefined);
  return changes;
}

function applied<T>(
  map: ReadonlyMap<string, T>,
  changes: ReadonlyMap<string, T | undefined>,
): ReadonlyMap<string, T> {
  if (changes.size === 0) return map;
  const result = new Map(map);
  for (const [name, value] of changes) {
    if (value === undefined) result.delete(name);
    else result.set(name, value);
  }
  return result;
}

function mergedMap<T>(
  current: ReadonlyMap<string, T>,
  start: ReadonlyMap<string, T>,
  end: ReadonlyMap<string, T>,
  same: (a: T, b: T) => boolean,
): ReadonlyMap<string, T> {
  return applied(current, mapChanges(start, end, same));
}

/** Options that were switched on or off: name to on/off. */
export function optionChanges(from: ReadonlySet<string>, to: ReadonlySet<string>): Map<string, boolean> {
  const changes = new Map<string, boolean>();
  if (from === to) return changes;
  for (const name of to) if (!from.has(name)) changes.set(name, true);
  for (const name of from) if (!to.has(name)) changes.set(name, false);
  return changes;
}

function mergedOptions(
  current: ReadonlySet<string>,
  start: ReadonlySet<string>,
  end: ReadonlySet<string>,
): ReadonlySet<string> {
  const changes = optionChanges(start, end);
  if (changes.size === 0) return current;
  const result = new Set(current);
  for (const [name, on] of changes) {
    if (on) result.add(name);
    else result.delete(name);
  }
  return result;
}

/** Merges what a command changed between `start` and `end` into `current` (SPEC 3.10). Same object when it changed nothing. */
export function mergeState(current: CarriedState, start: CarriedState, end: CarriedState): CarriedState {
  if (start === end) return current;
  // Nobody else changed it meanwhile: what the command left is the state, in the very object its channel will name again.
  if (current === start) return end;
  const merged: CarriedState = {
    env: mergedMap(current.env, start.env, end.env, sameText),
    functions: mergedMap(current.functions, start.functions, end.functions, sameFunction),
    aliases: mergedMap(current.aliases, start.aliases, end.aliases, sameText),
    options: mergedOptions(current.options, start.options, end.options),
    shopt: mergedOptions(current.shopt, start.shopt, end.shopt),
    umask: start.umask === end.umask ? current.umask : end.umask,
  };
  const unchanged =
    merged.env === current.env &&
    merged.functions === current.functions &&
    merged.aliases === current.aliases &&
    merged.options === current.options &&
    merged.shopt === current.shopt &&
    merged.umask === current.umask;
  return unchanged ? current : merged;
}

/** Variables to set (a value) or unset (undefined) so that `from` becomes `to`. */
export function envChanges(from: CarriedState, to: CarriedState): Map<string, string | undefined> {
  return mapChanges(from.env, to.env, sameText);
}

/** Functions to define or unset so that `from` becomes `to`. */
export function functionChanges(
  from: ReadonlyMap<string, ShellFunction>,
  to: ReadonlyMap<string, ShellFunction>,
): Map<string, ShellFunction | undefined> {
  return mapChanges(from, to, sameFunction);
}

/** Aliases to define or remove so that `from` becomes `to`. */
export function aliasChanges(
  from: ReadonlyMap<string, string>,
  to: ReadonlyMap<string, string>,
): Map<string, string | undefined> {
  return mapChanges(from, to, sameText);
}

/** The differences from the sandbox's start, as a session file keeps them. */
export function snapshotOf(base: CarriedState, current: CarriedState): ShellStateSnapshot {
  return {
    env: Object.fromEntries([...envChanges(base, current)].map(([name, value]) => [name, value ?? null])),
    functions: Object.fromEntries(current.functions),
    aliases: Object.fromEntries(current.aliases),
    shopt: Object.fromEntries(optionChanges(base.shopt, current.shopt)),
    options: Object.fromEntries(optionChanges(base.options, current.options)),
    umask: current.umask === base.umask ? null : current.umask,
  };
}

function withOptions(
  base: ReadonlySet<string>,
  changes: Readonly<Record<string, boolean>>,
): ReadonlySet<string> {
  const result = new Set(base);
  for (const [name, on] of Object.entries(changes)) {
    if (on) result.add(name);
    else result.delete(name);
  }
  return result;
}

/** A snapshot laid over the start of the sandbox there is now. */
export function stateFromSnapshot(base: CarriedState, snapshot: ShellStateSnapshot): CarriedState {
  const env = Object.entries(snapshot.env).map(([name, value]) => [name, value ?? undefined] as const);
  return {
    env: applied(base.env, new Map(env)),
    functions: new Map(Object.entries(snapshot.functions)),
    aliases: new Map(Object.entries(snapshot.aliases)),
    shopt: withOptions(base.shopt, snapshot.shopt),
    options: withOptions(base.options, snapshot.options),
    umask: snapshot.umask ?? base.umask,
  };
}

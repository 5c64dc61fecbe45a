import { InvalidArgumentError, exactPattern, setConfigValues } from "@talaria/core";
import { success } from "../exit-status.js";
import { formatDocument } from "../output/json-document.js";
import type { Invocation } from "../program/invocation.js";

export interface AllowOptions {
  readonly exact?: true;
  readonly json?: true;
}

const key = "approvals.allow";

/** Adds a pattern to `approvals.allow` of the user's file. That it was there already is no failure. */
export function allowPattern(invocation: Invocation, given: string, options: AllowOptions): Promise<number> {
  const entry = entryOf(given, "allow", options);
  return change(invocation, "allow", entry, options, (before) =>
    before.includes(entry) ? before : [...before, entry],
  );
}

/** Takes a pattern, or what a person at a terminal has allowed for good, out of it again. */
export function forgetPattern(invocation: Invocation, given: string, options: AllowOptions): Promise<number> {
  const entry = entryOf(given, "forget", options);
  const others = new Set([entry, exactPattern(entry)]);
  return change(invocation, "forget", entry, options, (before) => before.filter((one) => !others.has(one)));
}

function entryOf(given: string, operation: string, { exact }: AllowOptions): string {
  const entry = exact ? exactPattern(given) : given.trim();
  if (entry.trim() !== "") return entry;
  throw new InvalidArgumentError("pattern", "the pattern is empty", {
    operation: `approvals.${operation}`,
    hint: "give a pattern of a command: talaria approvals allow 'git push --force*'",
  });
}

async function change(
  { stdout, messages }: Invocation,
  operation: "allow" | "forget",
  entry: string,
  { json }: AllowOptions,
  edited: (before: readonly string[]) => readonly string[],
): Promise<number> {
  let after: readonly string[] = [];
  const { path, changed } = await setConfigValues((current) => {
    const before: unknown = current(key);
    const entries = Array.isArray(before) ? before.filter((one) => typeof one === "string") : [];
    after = edited(entries);
    if (after.length === entries.length) return [];
    return [[key, after.length === 0 ? undefined : after]];
  });
  if (json) {
    await stdout.write(formatDocument({ pattern: entry, changed, allow: after, path }));
    return success;
  }
  const state = operation === "allow" ? "allowed" : "not in the list";
  const became = operation === "allow" ? "allowed" : "no longer allowed";
  messages.note(
    changed ? `"${entry}" is now ${became} (${path})` : `"${entry}" was ${state} already (${path})`,
  );
  return success;
}

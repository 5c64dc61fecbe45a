import { isDeepStrictEqual } from "node:util";
import type { SessionRecord } from "./session-record.js";

/**
 * What a session file holds after a process that read `base` arrived at `mine`, while the file came to hold `theirs`:
 * everything of theirs, and over it what this process changed (SPEC 3.10, between processes). All three are about one
 * and the same sandbox.
 */
export function mergeRecords(base: SessionRecord, mine: SessionRecord, theirs: SessionRecord): SessionRecord {
  return {
    ...mine,
    cwd: mine.cwd === base.cwd ? theirs.cwd : mine.cwd,
    state: {
      env: mergeMaps(base.state.env, mine.state.env, theirs.state.env),
      functions: mergeMaps(base.state.functions, mine.state.functions, theirs.state.functions),
      aliases: mergeMaps(base.state.aliases, mine.state.aliases, theirs.state.aliases),
      shopt: mergeMaps(base.state.shopt, mine.state.shopt, theirs.state.shopt),
      options: mergeMaps(base.state.options, mine.state.options, theirs.state.options),
      umask: mine.state.umask === base.state.umask ? theirs.state.umask : mine.state.umask,
    },
  };
}

type Named<Value> = Readonly<Record<string, Value>>;

function mergeMaps<Value>(base: Named<Value>, mine: Named<Value>, theirs: Named<Value>): Named<Value> {
  const merged = new Map(Object.entries(theirs));
  const before = new Map(Object.entries(base));
  const after = new Map(Object.entries(mine));
  for (const [name, value] of after) {
    if (!before.has(name) || !isDeepStrictEqual(before.get(name), value)) merged.set(name, value);
  }
  for (const name of before.keys()) {
    if (!after.has(name)) merged.delete(name);
  }
  return Object.fromEntries(merged);
}

import { describe, expect, it } from "vitest";
import {
  mergeState,
  snapshotOf,
  stateFromSnapshot,
  type CarriedState,
} from "../../src/shell/carried-state.js";
import type { ShellFunction } from "../../src/shell/state-dump.js";

function state(parts: {
  env?: Record<string, string>;
  functions?: Record<string, string>;
  aliases?: Record<string, string>;
  options?: string[];
  shopt?: string[];
  umask?: string;
}): CarriedState {
  const functions = Object.entries(parts.functions ?? {}).map(([name, body]): [string, ShellFunction] => [
    name,
    { body, exported: false },
  ]);
  return {
    env: new Map(Object.entries(parts.env ?? {})),
    functions: new Map(functions),
    aliases: new Map(Object.entries(parts.aliases ?? {})),
    options: new Set(parts.options),
    shopt: new Set(parts.shopt),
    umask: parts.umask ?? "0022",
  };
}

describe("mergeState", () => {
  it("returns the current state itself when the command changed nothing", () => {
    const current = state({ env: { A: "2" } });
    const start = state({ env: { A: "1" }, functions: { f: "x" }, shopt: ["extglob"] });
    const end = state({ env: { A: "1" }, functions: { f: "x" }, shopt: ["extglob"] });
    expect(mergeState(current, start, start)).toBe(current);
    expect(mergeState(current, start, end)).toBe(current);
  });

  it("brings in what a command set or unset and leaves the others' names alone", () => {
    const start = state({ env: { A: "1", B: "1", C: "1" } });
    const current = state({ env: { A: "1", B: "other", C: "1", D: "other" } });
    const merged = mergeState(current, start, state({ env: { A: "mine", B: "1", NEW: "n" } }));
    expect(Object.fromEntries(merged.env)).toEqual({ A: "mine", B: "other", D: "other", NEW: "n" });
  });

  it("lets the call that ends last win a name both have changed", () => {
    const start = state({ env: { A: "0" }, aliases: { l: "ls" } });
    const first = mergeState(start, start, state({ env: { A: "first" }, aliases: {} }));
    const second = mergeState(first, start, state({ env: { A: "second" }, aliases: { l: "ls -l" } }));
    expect(second.env.get("A")).toBe("second");
    expect(second.aliases.get("l")).toBe("ls -l");
    expect(mergeState(second, start, state({ aliases: { l: "ls" } })).env.has("A")).toBe(false);
  });

  it("merges functions, options and umask the same way", () => {
    const start = state({ functions: { f: "1", g: "1" }, options: ["noclobber"], shopt: ["extglob"] });
    const current = state({
      functions: { f: "1", g: "1", h: "other" },
      options: [],
      shopt: ["extglob", "nullglob"],
      umask: "0077",
    });
    const end = state({
      functions: { f: "2" },
      options: ["noclobber", "pipefail"],
      shopt: [],
      umask: "0022",
    });
    const merged = mergeState(current, start, end);
    expect([...merged.functions].map(([name, { body }]) => [name, body])).toEqual([
      ["f", "2"],
      ["h", "other"],
    ]);
    expect([...merged.options]).toEqual(["pipefail"]);
    expect([...merged.shopt]).toEqual(["nullglob"]);
    expect(merged.umask).toBe("0077");
    expect(mergeState(current, start, { ...end, umask: "0007" }).umask).toBe("0007");
  });

  it("never changes its arguments", () => {
    const start = state({ env: { A: "1" } });
    const current = state({ env: { A: "1", B: "2" } });
    mergeState(current, start, state({ env: { C: "3" } }));
    expect(Object.fromEntries(current.env)).toEqual({ A: "1", B: "2" });
    expect(Object.fromEntries(start.env)).toEqual({ A: "1" });
  });
});

describe("a snapshot", () => {
  it("holds the differences from the sandbox's start, and brings them back over another start", () => {
    const base = state({ env: { PATH: "/bin", GONE: "1" }, options: ["braceexpand"], shopt: ["cmdhist"] });
    const current = state({
      env: { PATH: "/bin", A: "1" },
      functions: { f: "f () \n{ \n    :\n}" },
      aliases: { l: "ls" },
      options: ["pipefail"],
      shopt: ["cmdhist", "extglob"],
      umask: "0077",
    });
    const snapshot = snapshotOf(base, current);
    expect(snapshot).toEqual({
      env: { A: "1", GONE: null },
      functions: { f: { body: "f () \n{ \n    :\n}", exported: false } },
      aliases: { l: "ls" },
      options: { pipefail: true, braceexpand: false },
      shopt: { extglob: true },
      umask: "0077",
    });
    expect(stateFromSnapshot(base, snapshot)).toEqual(current);
    const other = stateFromSnapshot(state({ env: { PATH: "/opt/bin", HOME: "/h" } }), snapshot);
    expect(Object.fromEntries(other.env)).toEqual({ PATH: "/opt/bin", HOME: "/h", A: "1" });
    expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot);
  });
});

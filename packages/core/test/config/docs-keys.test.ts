import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { configKeyNames, configKeys } from "../../src/config/config-keys.js";
import type { ConfigKey } from "../../src/config/config-key.js";

const page = readFileSync(path.join(import.meta.dirname, "../../../../docs/guide/configuration.md"), "utf8");

/** The cells of the table's rows whose first cell names a key. */
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(([, names = "", , unset = "", meaning = ""]) => ({
    names: [...names.matchAll(/[a-z_]+\.[a-z_]+/g)].map(([name]) => name),
    unset,
    meaning,
  }));

function shownDefault(key: ConfigKey): string {
  if (key.default === undefined) return key.whenUnset === undefined ? "" : "the backend's own";
  if (Array.isArray(key.default)) return "none";
  if (typeof key.default === "boolean") return key.default ? "yes" : "no";
  return typeof key.default === "number" ? String(key.default) : `\`${String(key.default)}\``;
}

describe("the page about configuration", () => {
  it.each(configKeyNames)("has a row of %s, with its default and whether a project may set it", (name) => {
    const key: ConfigKey = configKeys[name];
    const [row, ...more] = rows.filter(({ names }) => names.includes(name));
    expect(more).toEqual([]);
    expect(row?.unset).toBe(shownDefault(key));
    expect(row?.meaning.endsWith("¹")).toBe(key.refusedInProject !== undefined);
  });
});

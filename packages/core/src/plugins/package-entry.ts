import { readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Core that runs from its TypeScript sources (its own tests do) takes backends from theirs, so that there is one copy
 * of core. From `dist`, which is what is published, the condition is never there.
 */
const conditions: ReadonlySet<string> = new Set([
  ...(import.meta.filename.endsWith(".ts") ? ["@talaria/source"] : []),
  "node",
  "import",
  "module-sync",
  "default",
]);

/** The file a package's `exports` (or `main`) name as its entry, relative to its folder; undefined when they do not. */
export async function packageEntry(directory: string): Promise<string | undefined> {
  const parsed: unknown = JSON.parse(await readFile(join(directory, "package.json"), "utf8"));
  if (typeof parsed !== "object" || parsed === null) return undefined;
  if ("exports" in parsed) return resolveTarget(rootExport(parsed.exports));
  return "main" in parsed && typeof parsed.main === "string" ? parsed.main : "index.js";
}

/** `exports` is either the root's target itself or an object of sub-paths, whose root is `.`. */
function rootExport(exports: unknown): unknown {
  if (typeof exports === "object" && exports !== null && "." in exports) return exports["."];
  return exports;
}

/** The first condition that holds decides, in the package's own order. */
function resolveTarget(target: unknown): string | undefined {
  if (typeof target === "string") return target.startsWith("./") ? target : undefined;
  if (Array.isArray(target)) return target.map(resolveTarget).find((resolved) => resolved !== undefined);
  if (typeof target !== "object" || target === null) return undefined;
  for (const [condition, nested] of Object.entries(target)) {
    if (!conditions.has(condition)) continue;
    const resolved = resolveTarget(nested);
    if (resolved !== undefined) return resolved;
  }
  return undefined;
}

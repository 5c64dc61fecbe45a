// @ts-check
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { runNode } from "./run-node.mjs";

const tracer = new URL("./trace-modules.mjs", import.meta.url).href;

/**
 * Files that a program loads. Built-in modules and the tracer itself do not count.
 *
 * @param {readonly string[]} args of node
 * @param {{ folder: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<string[]>}
 */
export async function loadedModules(args, { folder, env }) {
  const file = path.join(folder, "modules.txt");
  await runNode(["--import", tracer, ...args], { ...env, TALARIA_BENCH_TRACE: file });
  const own = path.dirname(fileURLToPath(import.meta.url));
  const files = readFileSync(file, "utf8")
    .split("\n")
    .filter((url) => url.startsWith("file:"))
    .map((url) => fileURLToPath(url))
    .filter((name) => path.dirname(name) !== own);
  return [...new Set(files)];
}

/**
 * The package a file belongs to, by the last node_modules folder or the folder under packages/ in its path.
 *
 * @param {string} file
 * @returns {string}
 */
export function packageOf(file) {
  const parts = file.split(path.sep);
  const modules = parts.lastIndexOf("node_modules");
  if (modules >= 0) {
    const [scope = "", name = ""] = parts.slice(modules + 1);
    return scope.startsWith("@") ? `${scope}/${name}` : scope;
  }
  const packages = parts.lastIndexOf("packages");
  return packages < 0 ? "other" : `@talaria/${parts[packages + 1] ?? ""}`;
}

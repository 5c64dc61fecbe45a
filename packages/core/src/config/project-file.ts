import { lstat, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { ConfigLayer } from "./config-layer.js";
import { showSource, type ConfigProblem, type ConfigValue } from "./config-value.js";
import { refusalInProject, targetOfKey, type KnownSchemas } from "./key-target.js";

const projectFileName = ".talaria.yaml";

/** The nearest `.talaria.yaml` at or above a directory, or undefined. */
export async function findProjectFile(cwd: string): Promise<string | undefined> {
  let directory = resolve(cwd);
  for (;;) {
    const path = join(directory, projectFileName);
    // lstat: a link to nowhere is found too, and then reported instead of being passed over.
    if (await exists(path)) return path;
    const parent = dirname(directory);
    if (parent === directory) return undefined;
    directory = parent;
  }
}

/**
 * Why a project file is not read at all, or undefined. In a folder that everybody may write, such as /tmp, anybody can put
 * one above the work of everybody else: there only this user's own counts, and the system's.
 */
export async function strangerOf(path: string): Promise<string | undefined> {
  const writableByAll = 0o002;
  const user = process.getuid?.();
  try {
    const [file, folder] = [await lstat(path), await stat(dirname(path))];
    if (user === undefined || file.uid === user || file.uid === 0) return undefined;
    return (folder.mode & writableByAll) === 0
      ? undefined
      : `it belongs to another account (uid ${file.uid}), in a folder that everybody may write`;
  } catch {
    // Who reads it next tells what is wrong with it.
    return undefined;
  }
}

/**
 * What of a project file counts. A project is often somebody else's: it may say where and how commands run, and
 * nothing that reaches this user's credentials, plugins or limits. Those keys are refused, each with its reason:
 * all of `terminal.backends.*` (an address there would be sent this user's token), `terminal.env_passthrough`,
 * all of `plugins.*` and `approvals.*`, and `bot_desktop.placement`.
 */
export function restrictProjectLayer(layer: ConfigLayer, schemas: KnownSchemas): ConfigLayer {
  const values: ConfigValue[] = [];
  const problems: ConfigProblem[] = [];
  for (const value of layer.values) {
    const target = targetOfKey(value.key, schemas);
    const why = "reason" in target ? target.reason : refusalInProject(target);
    if (why === undefined) {
      values.push(value.key === "terminal.cwd" ? relativeToFile(value) : value);
      continue;
    }
    problems.push({
      severity: "warning",
      message: `${value.key} in the project file ${showSource(value.source)} is ignored: ${why}.`,
      key: value.key,
      source: showSource(value.source),
      hint: `If you want it, say so yourself: talaria config set ${value.key} <value>`,
    });
  }
  // A value that was going to be refused anyway must not make the whole configuration unusable.
  for (const problem of layer.problems) {
    const target = problem.key === undefined ? undefined : targetOfKey(problem.key, schemas);
    const isRefused = target !== undefined && !("reason" in target) && refusalInProject(target) !== undefined;
    problems.push(isRefused ? { ...problem, severity: "warning" } : problem);
  }
  return { values, problems };
}

/** `.`, `auto` and `cwd` mean "not set" and stay as they are; `~` belongs to the sandbox. */
function relativeToFile(value: ConfigValue): ConfigValue {
  const path = value.value;
  if (typeof path !== "string" || path === "" || ["auto", "cwd", "."].includes(path)) return value;
  if (isAbsolute(path) || path.startsWith("~") || /^[A-Za-z]:/.test(path)) return value;
  return { ...value, value: resolve(dirname(value.source.where), path) };
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}

import { loadConfig } from "../config/load-config.js";
import { setConfigValues } from "../config/edit-config.js";
import type { HostEnvironment } from "../config/talaria-home.js";
import { PluginError } from "../errors/errors.js";
import { nearestName } from "../provider/nearest-name.js";
import { absentPackage, isReservedName, reservedNamesOf } from "../registry/reserved-names.js";
import { findPlugin, isPluginFolderName } from "./discover-plugins.js";
import { listPlugins } from "./list-plugins.js";
import { isPackageName } from "./package-folders.js";
import type { PluginPlaceOptions } from "./plugin-places.js";

export interface EnablePluginOptions {
  readonly talariaHome?: string | undefined;
  readonly env?: HostEnvironment | undefined;
  readonly cwd?: string | undefined;
  readonly baseDirectory?: string | undefined;
}

/** What enabling or disabling did. */
export interface PluginEdit {
  readonly id: string;
  readonly path: string;
  readonly changed: boolean;
}

/**
 * Lists a plugin in `plugins.enabled` and takes it from `plugins.disabled`, as one edit of the user's file.
 * Throws PluginError when no usable plugin of that id is installed: a name that is enabled now and installed by
 * somebody else later would run without being looked at.
 */
export async function enablePlugin(id: string, options: EnablePluginOptions = {}): Promise<PluginEdit> {
  const config = await loadConfig(options);
  const places = { config, baseDirectory: options.baseDirectory };
  const plugin = await findPlugin(id, places);
  if (plugin === undefined) {
    const why = (await backendNameProblem(id, places, "enable")) ?? (await notInstalled(id, places));
    throw new PluginError(`The plugin "${id}" was not enabled: ${why.reason}.`, {
      operation: "plugins.enable",
      hint: why.hint,
    });
  }
  if (!plugin.ok) {
    throw new PluginError(`The plugin ${id} was not enabled: its manifest is unusable. ${plugin.reason}`, {
      operation: "plugins.enable",
      hint: "Reinstall it, or report it to its author.",
    });
  }
  return edit(id, plugin.manifest.isFirstParty ? undefined : "plugins.enabled", "plugins.disabled", options);
}

/**
 * Lists a plugin in `plugins.disabled` and takes it from `plugins.enabled`. It need not be installed. Throws PluginError
 * for what cannot be a plugin's id and for a backend's name, which would switch off nothing.
 */
export async function disablePlugin(id: string, options: EnablePluginOptions = {}): Promise<PluginEdit> {
  const config = await loadConfig(options);
  const places = { config, baseDirectory: options.baseDirectory };
  // What a list has already can always be taken from it.
  if (!config.get("plugins.enabled").includes(id) && (await findPlugin(id, places)) === undefined) {
    const why = isPluginId(id) ? await backendNameProblem(id, places, "disable") : noPluginId;
    if (why !== undefined) {
      throw new PluginError(`The plugin "${id}" was not disabled: ${why.reason}.`, {
        operation: "plugins.disable",
        hint: why.hint,
      });
    }
  }
  return edit(id, "plugins.disabled", "plugins.enabled", options);
}

async function edit(
  id: string,
  into: string | undefined,
  outOf: string,
  options: EnablePluginOptions,
): Promise<PluginEdit> {
  const { path, changed } = await setConfigValues(
    (value) => [
      ...(into === undefined ? [] : [[into, withId(listOf(value(into)), id)] as const]),
      [outOf, withoutId(listOf(value(outOf)), id)] as const,
    ],
    options,
  );
  return { id, path, changed };
}

function withId(ids: readonly string[], id: string): readonly string[] {
  return ids.includes(id) ? ids : [...ids, id];
}

/** Undefined when the list becomes empty: the key then goes. */
function withoutId(ids: readonly string[], id: string): readonly string[] | undefined {
  const left = ids.filter((other) => other !== id);
  return left.length === 0 ? undefined : left;
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

interface Problem {
  readonly reason: string;
  readonly hint: string;
}

const noPluginId: Problem = {
  reason: "no plugin can have that id",
  hint: "An id is the name of a package, or of a folder in <TALARIA_HOME>/plugins: talaria plugins list",
};

/** What is wrong when a backend's name stands where its plugin's id is asked for; undefined when it is none. */
async function backendNameProblem(
  id: string,
  places: PluginPlaceOptions,
  action: "enable" | "disable",
): Promise<Problem | undefined> {
  const rows = (await listPlugins(places)).filter(({ status }) => status !== "missing");
  const ofBackend = rows.find(({ backends }) => backends.includes(id));
  const reason = "it is a backend's name, not a plugin's id";
  if (ofBackend !== undefined) {
    return { reason, hint: `Its plugin is ${ofBackend.id}: talaria plugins ${action} ${ofBackend.id}` };
  }
  if (!isReservedName(id)) return undefined;
  const absent = absentPackage(id);
  return { reason: `${reason}, and ${absent.reason}`, hint: absent.hint };
}

async function notInstalled(id: string, places: PluginPlaceOptions): Promise<Problem> {
  if (!isPluginId(id)) return noPluginId;
  const rows = (await listPlugins(places)).filter(({ status }) => status !== "missing");
  const nearest = nearestName(
    id,
    rows.map((row) => row.id),
  );
  const [reserved] = reservedNamesOf(id);
  if (reserved !== undefined) return absentPackage(reserved);
  const install = isPackageName(id) ? `Install it first: npm install ${id}, or put` : "Put";
  return {
    reason: "no plugin of that id is installed",
    hint: nearest === undefined ? `${install} it into <TALARIA_HOME>/plugins/.` : `Did you mean ${nearest}?`,
  };
}

/** Whether a package or a folder can be called so. */
function isPluginId(id: string): boolean {
  return isPackageName(id) || isPluginFolderName(id);
}

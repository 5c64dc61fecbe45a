import { loadConfig } from "../config/load-config.js";
import { setConfigValues } from "../config/edit-config.js";
import type { HostEnvironment } from "../config/talaria-home.js";
import { PluginError } from "../errors/errors.js";
import { nearestName } from "../provider/nearest-name.js";
import { findPlugin } from "./discover-plugins.js";
import { listPlugins } from "./list-plugins.js";

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
  if (plugin === undefined) throw await notInstalled(id, places);
  if (!plugin.ok) {
    throw new PluginError(`The plugin ${id} was not enabled: its manifest is unusable. ${plugin.reason}`, {
      operation: "plugins.enable",
      hint: "Reinstall it, or report it to its author.",
    });
  }
  return edit(id, plugin.manifest.isFirstParty ? undefined : "plugins.enabled", "plugins.disabled", options);
}

/** Lists a plugin in `plugins.disabled` and takes it from `plugins.enabled`. It need not be installed. */
export function disablePlugin(id: string, options: EnablePluginOptions = {}): Promise<PluginEdit> {
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

async function notInstalled(id: string, places: Parameters<typeof listPlugins>[0]): Promise<PluginError> {
  const rows = (await listPlugins(places)).filter(({ status }) => status !== "missing");
  const ofBackend = rows.find(({ backends }) => backends.includes(id));
  const nearest = nearestName(
    id,
    rows.map((row) => row.id),
  );
  const hint =
    ofBackend !== undefined
      ? `"${id}" is a backend's name; its plugin is ${ofBackend.id}: talaria plugins enable ${ofBackend.id}`
      : nearest !== undefined
        ? `Did you mean ${nearest}?`
        : `Install it first: npm install ${id}, or put it into <TALARIA_HOME>/plugins/.`;
  return new PluginError(`The plugin ${id} was not enabled: no plugin of that id is installed.`, {
    operation: "plugins.enable",
    hint,
  });
}

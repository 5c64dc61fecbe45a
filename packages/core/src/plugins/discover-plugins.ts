import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isPackageName, packagesIn } from "./package-folders.js";
import type { PluginManifest } from "./plugin-manifest.js";
import { pluginPlaces, type PluginPlaceOptions } from "./plugin-places.js";
import { readFolderManifest, readPackageManifest, type FoundPlugin } from "./read-manifest.js";

/** Everything found in all places. No code of any plugin is run. */
export interface DiscoveredPlugins {
  /** One per id: the first found. */
  readonly plugins: readonly FoundPlugin[];
  /** Those that another one of the same id stands before, with where that one is. */
  readonly shadowed: readonly { readonly plugin: FoundPlugin; readonly by: string }[];
}

/** Looks through all places. For lists and for the credentials to keep from agents; loading asks by id instead. */
export async function discoverPlugins(options: PluginPlaceOptions): Promise<DiscoveredPlugins> {
  const places = pluginPlaces(options);
  const found = [
    ...(await pluginsInFolder(places.folders)),
    ...places.nodeModules.flatMap((nodeModules) =>
      packagesIn(nodeModules).flatMap(({ name, folder }) => readPackageManifest(folder, name) ?? []),
    ),
  ];
  const first = new Map<string, FoundPlugin>();
  const shadowed: { plugin: FoundPlugin; by: string }[] = [];
  for (const plugin of found) {
    const before = first.get(idOf(plugin));
    if (before === undefined) first.set(idOf(plugin), plugin);
    else if (directoryOf(before) !== directoryOf(plugin)) shadowed.push({ plugin, by: directoryOf(before) });
  }
  const plugins = [...first.values()].sort((left, right) => (idOf(left) < idOf(right) ? -1 : 1));
  return { plugins, shadowed };
}

/** Finds one plugin by its id, without looking at any other. */
export async function findPlugin(id: string, options: PluginPlaceOptions): Promise<FoundPlugin | undefined> {
  const places = pluginPlaces(options);
  const folder = isPluginFolderName(id) ? await readFolderManifest(join(places.folders, id)) : undefined;
  if (folder !== undefined || !isPackageName(id)) return folder;
  for (const nodeModules of places.nodeModules) {
    const plugin = readPackageManifest(join(nodeModules, id), id);
    if (plugin !== undefined) return plugin;
  }
  return undefined;
}

/** True for what can be the name of a folder in `<TALARIA_HOME>/plugins`, and is no way out of it. */
export function isPluginFolderName(id: string): boolean {
  return id !== "" && !id.startsWith(".") && !/[/\p{Cc}]/u.test(id);
}

/** The manifests among what was found. */
export function manifestsOf(discovered: DiscoveredPlugins): readonly PluginManifest[] {
  return discovered.plugins.flatMap((plugin) => (plugin.ok ? [plugin.manifest] : []));
}

/** The id of a plugin, usable or not. */
export function idOf(plugin: FoundPlugin): string {
  return plugin.ok ? plugin.manifest.id : plugin.id;
}

/** Its folder. */
export function directoryOf(plugin: FoundPlugin): string {
  return plugin.ok ? plugin.manifest.directory : plugin.directory;
}

async function pluginsInFolder(folder: string): Promise<readonly FoundPlugin[]> {
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    names
      .filter((name) => !name.startsWith("."))
      .sort()
      .map((name) => readFolderManifest(join(folder, name))),
  );
  return found.filter((plugin) => plugin !== undefined);
}

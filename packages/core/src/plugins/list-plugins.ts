import { directoryOf, discoverPlugins, idOf } from "./discover-plugins.js";
import { pluginPermission } from "./plugin-permission.js";
import type { PluginPlaceOptions } from "./plugin-places.js";

/** One row of `talaria plugins list`. */
export interface PluginRow {
  readonly id: string;
  readonly source: "package" | "folder" | undefined;
  readonly directory: string | undefined;
  readonly backends: readonly string[];
  readonly version: string | undefined;
  readonly description: string | undefined;
  /**
   * `first_party` and `enabled` are loaded on use. `missing` is listed in `plugins.enabled` and not installed;
   * `shadowed` stands behind another plugin of the same id.
   */
  readonly status:
    | "first_party"
    | "enabled"
    | "disabled"
    | "not_enabled"
    | "invalid"
    | "missing"
    | "shadowed";
  /** Why it cannot be loaded, when it cannot. */
  readonly reason: string | undefined;
  /** What to do about it. */
  readonly hint: string | undefined;
}

/** Every plugin that is installed or enabled, sorted by id. Runs no code of any; a bad manifest is a row of its own. */
export async function listPlugins(options: PluginPlaceOptions): Promise<readonly PluginRow[]> {
  const { plugins, shadowed } = await discoverPlugins(options);
  const rows = plugins.map((plugin): PluginRow => {
    if (!plugin.ok) {
      const { id, source, directory, reason } = plugin;
      return {
        ...empty(id),
        source,
        directory,
        status: "invalid",
        reason,
        hint: "Reinstall it or report it to its author.",
      };
    }
    const { id, source, directory, backends, version, description, isFirstParty } = plugin.manifest;
    const permission = pluginPermission(id, isFirstParty, options.config);
    return {
      ...empty(id),
      source,
      directory,
      backends,
      version,
      description,
      status: permission.kind,
      ...("reason" in permission ? { reason: permission.reason, hint: permission.hint } : {}),
    };
  });
  for (const { plugin, by } of shadowed) {
    rows.push({
      ...empty(idOf(plugin)),
      source: plugin.ok ? plugin.manifest.source : plugin.source,
      directory: directoryOf(plugin),
      backends: plugin.ok ? plugin.manifest.backends : [],
      version: plugin.ok ? plugin.manifest.version : undefined,
      status: "shadowed",
      reason: `the plugin of the same id in ${by} stands before it`,
      hint: "Remove one of the two.",
    });
  }
  const found = new Set(rows.map(({ id }) => id));
  for (const id of new Set(options.config.get("plugins.enabled"))) {
    if (found.has(id)) continue;
    const byBackend = rows.find((row) => row.backends.includes(id));
    rows.push({
      ...empty(id),
      status: "missing",
      reason: "it is listed in plugins.enabled and not installed",
      hint:
        byBackend === undefined
          ? `Install it, or take it from the list: talaria plugins disable ${id}`
          : `"${id}" is a backend; its plugin is ${byBackend.id}: talaria plugins enable ${byBackend.id}`,
    });
  }
  return rows.sort((left, right) => (left.id < right.id ? -1 : left.id > right.id ? 1 : 0));
}

function empty(id: string): Omit<PluginRow, "status"> {
  return {
    id,
    source: undefined,
    directory: undefined,
    backends: [],
    version: undefined,
    description: undefined,
    reason: undefined,
    hint: undefined,
  };
}

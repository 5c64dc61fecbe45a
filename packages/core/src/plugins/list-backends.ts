import { absentPackage, firstPartyPackageOf, reservedNames } from "../registry/reserved-names.js";
import { listPlugins, type PluginRow } from "./list-plugins.js";
import type { PluginPlaceOptions } from "./plugin-places.js";

/** One row of `talaria backends`: a backend that can be used, or what keeps it from that. */
export interface BackendRow {
  /** The value of `terminal.backend`. */
  readonly name: string;
  /** The plugin that has it. */
  readonly pluginId: string;
  readonly version: string | undefined;
  readonly isFirstParty: boolean;
  /** `installed` can be loaded; of a `not_released` one there is only the name yet. */
  readonly status: "installed" | "not_installed" | "not_released" | "not_enabled" | "disabled" | "invalid";
  readonly reason: string | undefined;
  readonly hint: string | undefined;
}

/** Every first-party backend, installed or not, then those of other plugins; sorted. Loads none. */
export async function listBackends(options: PluginPlaceOptions): Promise<readonly BackendRow[]> {
  const plugins = await listPlugins(options);
  const firstParty = reservedNames.map((name): BackendRow => {
    const pluginId = firstPartyPackageOf(name);
    const row = plugins.find((plugin) => plugin.id === pluginId && plugin.status !== "shadowed");
    const lacks = row !== undefined && row.status !== "invalid" && !row.backends.includes(name);
    if (row === undefined || row.status === "missing" || lacks) {
      const absent = { name, pluginId, version: row?.version, isFirstParty: true } as const;
      if (!lacks) return { ...absent, ...absentPackage(name) };
      return {
        ...absent,
        status: "not_installed",
        reason: `this version of ${pluginId} does not have it`,
        hint: `Install a newer version: npm install ${pluginId}@latest`,
      };
    }
    return backendRow(name, row, true);
  });
  const others = plugins
    .filter(({ status }) => status === "enabled" || status === "disabled" || status === "not_enabled")
    .flatMap((row) =>
      row.backends
        .filter((name) => !reservedNames.some((reserved) => reserved === name))
        .map((name) => backendRow(name, row, false)),
    )
    .sort((left, right) => (left.name < right.name ? -1 : 1));
  return [...firstParty, ...others];
}

function backendRow(name: string, row: PluginRow, isFirstParty: boolean): BackendRow {
  const { id: pluginId, version, reason, hint } = row;
  const status =
    row.status === "disabled" || row.status === "not_enabled" || row.status === "invalid"
      ? row.status
      : "installed";
  return { name, pluginId, version, isFirstParty, status, reason, hint };
}

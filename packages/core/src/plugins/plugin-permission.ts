import type { Config } from "../config/config.js";
import { showSource } from "../config/config-value.js";
import { PluginError } from "../errors/errors.js";

/** Whether a plugin may be loaded, and if not, why. */
export type PluginPermission =
  | { readonly kind: "first_party" | "enabled" }
  | { readonly kind: "disabled" | "not_enabled"; readonly reason: string; readonly hint: string };

/** `plugins.disabled` wins over everything; first-party packages need no enabling. */
export function pluginPermission(id: string, isFirstParty: boolean, config: Config): PluginPermission {
  if (config.get("plugins.disabled").includes(id)) {
    return {
      kind: "disabled",
      reason: `the plugin ${id} is disabled by plugins.disabled${sourceOf(config, "plugins.disabled")}`,
      hint: `Enable it: talaria plugins enable ${id}`,
    };
  }
  if (isFirstParty) return { kind: "first_party" };
  if (config.get("plugins.enabled").includes(id)) return { kind: "enabled" };
  return {
    kind: "not_enabled",
    reason: `the plugin ${id} is installed but not enabled`,
    hint: `If you trust it (it runs with everything this user may do), enable it: talaria plugins enable ${id}`,
  };
}

/**
 * Throws PluginError when the plugin is to run in a process of its own: this version has no such process, and loading
 * it into this one would give it what the setting is there to keep from it.
 */
export function requireInProcess(id: string, config: Config): void {
  const own = `plugins.entries.${id}.isolation`;
  const deciding = config.value(own) ?? config.value("plugins.isolation");
  if (deciding?.value !== "host") return;
  throw new PluginError(
    `The plugin ${id} was not loaded: ${deciding.key} is "host" (${showSource(deciding.source)}), and this version cannot run a plugin in a process of its own. It is not loaded into this one instead.`,
    {
      operation: "plugins.load",
      hint: `To let this plugin run in this process, with everything this user may do: talaria config set ${own} in_process`,
    },
  );
}

function sourceOf(config: Config, key: string): string {
  const value = config.value(key);
  return value === undefined ? "" : ` (${showSource(value.source)})`;
}

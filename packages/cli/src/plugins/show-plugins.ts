import { listPlugins, loadConfig, type PluginRow } from "@talaria/core";
import { success } from "../exit-status.js";
import { formatDocument } from "../output/json-document.js";
import type { Look, Style } from "../output/style.js";
import { formatTable } from "../output/table.js";
import { visibleText } from "../output/visible-text.js";
import type { Invocation } from "../program/invocation.js";

/** Prints every plugin that is installed or enabled. Runs no code of any. */
export async function showPlugins({ stdout, style }: Invocation, json: boolean): Promise<number> {
  const plugins = await listPlugins({ config: await loadConfig() });
  if (json) {
    await stdout.write(formatDocument({ plugins }));
    return success;
  }
  const rows = plugins.map((plugin) => [
    plugin.id,
    { text: plugin.status.replaceAll("_", " "), look: lookOf(plugin.status, style) },
    plugin.source === undefined ? "-" : "backend",
    plugin.version ?? "-",
    plugin.backends.join(", ") || "-",
    plugin.directory ?? "-",
  ]);
  const lines = formatTable([["plugin", "state", "kind", "version", "backends", "path"], ...rows]);
  for (const [index, line] of lines.entries()) {
    stdout.line(line);
    const { reason, hint } = plugins[index - 1] ?? {};
    if (reason !== undefined) stdout.line(visibleText(`  ${reason}${hint === undefined ? "" : `; ${hint}`}`));
  }
  return success;
}

function lookOf(status: PluginRow["status"], style: Style): Look {
  if (status === "first_party" || status === "enabled") return style.good;
  return status === "disabled" || status === "not_enabled" ? style.dim : style.bad;
}

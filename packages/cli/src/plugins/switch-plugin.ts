import { disablePlugin, enablePlugin } from "@talaria/core";
import { success } from "../exit-status.js";
import { formatDocument } from "../output/json-document.js";
import type { Invocation } from "../program/invocation.js";

/** Enables or disables a plugin by its id. */
export async function switchPlugin(
  { stdout, messages }: Invocation,
  plugin: string,
  on: boolean,
  json: boolean,
): Promise<number> {
  const { id, path, changed } = await (on ? enablePlugin(plugin) : disablePlugin(plugin));
  const state = on ? "enabled" : "disabled";
  if (json) await stdout.write(formatDocument({ id, state, changed, path }));
  else messages.note(`${id} ${changed ? "is now" : "was already"} ${state} (${path})`);
  return success;
}

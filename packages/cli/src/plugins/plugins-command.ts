import type { Command } from "commander";
import { addJson } from "../program/command-action.js";
import { describeCommand } from "../program/command-help.js";
import type { Invocation } from "../program/invocation.js";

interface JsonOption {
  readonly json?: boolean;
}

export function define(command: Command, invocation: Invocation): void {
  describeCommand(command, "Lists plugins, and says which of them may be loaded. Installed is not enabled.", [
    "talaria plugins list",
    "talaria plugins enable talaria-backend-acmebox",
    "talaria plugins disable talaria-backend-acmebox",
  ]);
  command.helpCommand(false);
  addJson(command.command("list").summary("show what is installed, enabled, disabled or broken")).action(
    async ({ json = false }: JsonOption) => {
      const { showPlugins } = await import("./show-plugins.js");
      invocation.status = await showPlugins(invocation, json);
    },
  );
  addJson(command.command("enable").summary("let a plugin be loaded"))
    .argument("<plugin>", "its id: the name of its package or folder")
    .action(async (plugin: string, { json = false }: JsonOption) => {
      const { switchPlugin } = await import("./switch-plugin.js");
      invocation.status = await switchPlugin(invocation, plugin, true, json);
    });
  addJson(command.command("disable").summary("keep a plugin from being loaded"))
    .argument("<plugin>", "its id: the name of its package or folder")
    .action(async (plugin: string, { json = false }: JsonOption) => {
      const { switchPlugin } = await import("./switch-plugin.js");
      invocation.status = await switchPlugin(invocation, plugin, false, json);
    });
}

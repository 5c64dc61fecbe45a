import type { Command } from "commander";
import { addJson } from "../program/command-action.js";
import { describeCommand } from "../program/command-help.js";
import type { Invocation } from "../program/invocation.js";
import type { SetupOptions } from "./run-setup.js";

export function define(command: Command, invocation: Invocation): void {
  describeCommand(command, "Chooses a backend, shows its own steps, and writes it to the configuration.", [
    "talaria setup                            # a picker, on a terminal",
    "talaria setup --backend local --yes      # without questions",
  ]);
  addJson(command)
    .option("-b, --backend <backend>", "which backend, instead of the picker")
    .option("-y, --yes", "ask nothing")
    .action(async (options: SetupOptions) => {
      const { runSetup } = await import("./run-setup.js");
      invocation.status = await runSetup(invocation, options);
    });
}

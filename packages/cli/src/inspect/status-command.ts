import type { Command } from "commander";
import { addJson } from "../program/command-action.js";
import { describeCommand } from "../program/command-help.js";
import type { Invocation } from "../program/invocation.js";

export function define(command: Command, invocation: Invocation): void {
  describeCommand(
    command,
    "Shows the backend that would be used, the values in force, and where each comes from.",
    ["talaria status", "talaria status --json"],
  );
  addJson(command).action(async ({ json = false }: { json?: boolean }) => {
    const { showStatus } = await import("./show-status.js");
    invocation.status = await showStatus(invocation, json);
  });
}

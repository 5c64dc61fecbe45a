import type { Command } from "commander";
import { addJson } from "../program/command-action.js";
import { describeCommand } from "../program/command-help.js";
import type { Invocation } from "../program/invocation.js";

export function define(command: Command, invocation: Invocation): void {
  describeCommand(command, "Lists the places commands can run in, and what each declares.", [
    "talaria backends",
    "talaria backends --json",
  ]);
  addJson(command).action(async ({ json = false }: { json?: boolean }) => {
    const { showBackends } = await import("./show-backends.js");
    invocation.status = await showBackends(invocation, json);
  });
}

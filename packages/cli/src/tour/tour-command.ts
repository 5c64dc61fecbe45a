import type { Command } from "commander";
import { addJson } from "../program/command-action.js";
import { describeCommand } from "../program/command-help.js";
import type { Invocation } from "../program/invocation.js";

export function define(command: Command, invocation: Invocation): void {
  describeCommand(command, "Runs a short guided session on this host and shows what really happens.", [
    "talaria tour",
    "talaria tour --json",
  ]);
  addJson(command).action(async (options: { json?: true }) => {
    const { runTour } = await import("./run-tour.js");
    invocation.status = await runTour(invocation, options.json === true);
  });
}

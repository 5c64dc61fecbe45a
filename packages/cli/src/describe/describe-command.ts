import type { Command } from "commander";
import { addJson, addVerbosity } from "../program/command-action.js";
import { describeCommand } from "../program/command-help.js";
import type { Invocation } from "../program/invocation.js";
import { addSessionChoice } from "../program/session-options.js";
import type { DescribeOptions } from "./show-description.js";

export function define(command: Command, invocation: Invocation): void {
  describeCommand(
    command,
    "Prints what a model is told about where it is: system, home, directory, limits, what is missing.",
    ["talaria describe", "talaria describe --session work --json"],
  );
  addVerbosity(addJson(addSessionChoice(command)), invocation).action(async (options: DescribeOptions) => {
    const { showDescription } = await import("./show-description.js");
    invocation.status = await showDescription(invocation, options);
  });
}

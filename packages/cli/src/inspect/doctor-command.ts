import type { Command } from "commander";
import { addJson } from "../program/command-action.js";
import { describeCommand } from "../program/command-help.js";
import type { Invocation } from "../program/invocation.js";
import type { DoctorOptions } from "./run-doctor.js";

export function define(command: Command, invocation: Invocation): void {
  describeCommand(command, "Checks the configuration and the backends (status 1 when something is broken).", [
    "talaria doctor",
    "talaria doctor local docker    # these two only; one that is missing counts as broken",
    "talaria doctor --strict        # warnings count, too",
  ]);
  addJson(command)
    .argument("[backend...]", "the backends to check (default: all)")
    .option("--strict", "end with 1 for warnings, too")
    .action(async (backends: string[], options: DoctorOptions) => {
      const { runDoctor } = await import("./run-doctor.js");
      invocation.status = await runDoctor(invocation, backends, options);
    });
}

import type { Command } from "commander";
import { positiveNumber } from "../program/option-values.js";
import { addJson, addVerbosity } from "../program/command-action.js";
import { describeCommand } from "../program/command-help.js";
import type { Invocation } from "../program/invocation.js";
import type { ConformanceCommandOptions } from "./run-conformance-command.js";

const addWord = (word: string, before: readonly string[] = []): readonly string[] => [...before, word];

export function define(command: Command, invocation: Invocation): void {
  describeCommand(command, "Holds a backend to the contract, case by case (status 1 when a case failed).", [
    "talaria conformance local",
    "talaria conformance local --group kill --group stdin",
    "talaria conformance docker --json > report.json",
  ]);
  command
    .argument("<backend>", "which backend to hold")
    .option("-g, --group <group>", "only this group of cases (repeatable)", addWord)
    .option("--case <id>", "only this case (repeatable)", addWord)
    .option("--long", "the cases that take minutes, too")
    .option(
      "--slowness <n>",
      "multiply the deadlines, for emulated machines and far links",
      positiveNumber("slowness", "times"),
    );
  addVerbosity(addJson(command), invocation).action(
    async (backend: string, options: ConformanceCommandOptions) => {
      const { runConformanceCommand } = await import("./run-conformance-command.js");
      invocation.status = await runConformanceCommand(invocation, backend, options);
    },
  );
}

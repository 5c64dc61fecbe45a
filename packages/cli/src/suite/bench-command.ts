import type { Command } from "commander";
import { describeCommand } from "../program/command-help.js";
import type { Invocation } from "../program/invocation.js";

export function define(command: Command, invocation: Invocation): void {
  describeCommand(
    command,
    "Measures a backend against what you would use instead. Runs inside a checkout of Talaria.",
    ["talaria bench local", "talaria bench local --json"],
  );
  command
    .usage("[backend] [options of the benchmark]")
    .argument("[words...]", "the backend (default: local) and options; --json prints a document")
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (words: string[]) => {
      const { runBench } = await import("./run-bench.js");
      invocation.status = await runBench(words);
    });
}

import type { Command } from "commander";

/** Gives a command its help page's head: one sentence, then examples, before usage and options. */
export function describeCommand(command: Command, sentence: string, examples: readonly string[]): void {
  command.addHelpText(
    "before",
    [sentence, "", "Examples:", ...examples.map((example) => `  ${example}`), ""].join("\n"),
  );
}

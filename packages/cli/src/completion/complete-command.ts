import type { Command } from "commander";
import type { Invocation } from "../program/invocation.js";

/** The hidden command that the completion scripts call on each press of TAB. */
export function define(command: Command, invocation: Invocation): void {
  command
    .argument("[words...]")
    .passThroughOptions()
    .allowUnknownOption()
    .helpOption(false)
    .action(async (_words: string[], _options: object, self: Command) => {
      const { completeLine } = await import("./complete-line.js");
      // Commander drops a leading `--`, which is a word of the line like any other.
      const typed = invocation.words.slice(invocation.words.indexOf(self.name()) + 1);
      invocation.status = await completeLine(invocation, typed);
    });
}

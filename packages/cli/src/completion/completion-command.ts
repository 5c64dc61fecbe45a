import { Argument, type Command } from "commander";
import { describeCommand } from "../program/command-help.js";
import type { Invocation } from "../program/invocation.js";
import { completionScripts, type CompletedShell } from "./completion-scripts.js";

export function define(command: Command, invocation: Invocation): void {
  describeCommand(
    command,
    "Prints the script that makes a shell complete talaria's commands, options and names.",
    [
      "bash:  echo 'source <(talaria completion bash)' >> ~/.bashrc",
      "zsh:   echo 'source <(talaria completion zsh)' >> ~/.zshrc      # after compinit",
      "fish:  talaria completion fish > ~/.config/fish/completions/talaria.fish",
    ],
  );
  command
    .addArgument(new Argument("<shell>", "your shell").choices(Object.keys(completionScripts)))
    .action((shell: CompletedShell) => void invocation.stdout.write(completionScripts[shell]));
}

import type { Command } from "commander";
import { addJson } from "../program/command-action.js";
import { describeCommand } from "../program/command-help.js";
import type { Invocation } from "../program/invocation.js";
import type { AllowOptions } from "./change-allowed.js";
import type { TestOptions } from "./test-command.js";

interface JsonOption {
  readonly json?: boolean;
}

export function define(command: Command, invocation: Invocation): void {
  describeCommand(
    command,
    "Shows which commands run, are asked about or never run, explains a verdict, and changes what is allowed.",
    [
      "talaria approvals test 'sudo rm -rf build'   # status 0: it would run, 1: it would be asked about or refused",
      "talaria approvals list",
      "talaria approvals allow 'git push --force*'  # comments in the configuration stay",
      "talaria approvals forget 'git push --force*'",
    ],
  );
  command.helpCommand(false);
  addJson(command.command("list").summary("show the rules, and what is allowed and denied by whom")).action(
    async ({ json = false }: JsonOption) => {
      const { listApprovals } = await import("./list-approvals.js");
      invocation.status = await listApprovals(invocation, json);
    },
  );

  const test = addJson(command.command("test").summary("say what would become of a command, and run nothing"))
    .usage("[options] [--] <shell text | words...>")
    .argument("[command...]", "the command: one word is shell text, several are a program and its arguments")
    .passThroughOptions()
    .option("-b, --backend <backend>", "judge it for this backend (default: terminal.backend)");
  describeCommand(
    test,
    "Says what would become of a command and which rule decides, without running it. Status 0 when it would run, 1 when it would be asked about or refused.",
    [
      "talaria approvals test 'curl -s https://x.example | sh'",
      "talaria approvals test --json -- git push --force",
    ],
  );
  test.action(async (words: string[], options: TestOptions) => {
    const { testCommand } = await import("./test-command.js");
    invocation.status = await testCommand(invocation, words, options);
  });

  addJson(command.command("allow").summary("let commands run without a question"))
    .argument("<pattern>", "a pattern of a single command, with * and ?")
    .option("--exact", "it is the text of a command itself, not a pattern")
    .action(async (pattern: string, options: AllowOptions) => {
      const { allowPattern } = await import("./change-allowed.js");
      invocation.status = await allowPattern(invocation, pattern, options);
    });
  addJson(command.command("forget").summary("take out what was allowed"))
    .argument("<allowed>", "the entry as `talaria approvals list` shows it, or the text of the command")
    .action(async (pattern: string, options: AllowOptions) => {
      const { forgetPattern } = await import("./change-allowed.js");
      invocation.status = await forgetPattern(invocation, pattern, options);
    });
}

import { Command } from "commander";
import { commandList } from "./command-list.js";
import { describeCommand } from "./command-help.js";
import { readVersion } from "../version.js";
import type { Invocation } from "./invocation.js";

/** Builds the command line: every command by name, the one that runs loaded when it is called. */
export function buildProgram(invocation: Invocation): Command {
  const program = new Command("talaria");
  program
    .enablePositionalOptions()
    .version(readVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "show this help")
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void invocation.stdout.write(text),
      writeErr: (text) => void invocation.stderr.write(text),
      outputError: (text) => {
        const [first = "", ...rest] = text
          .trim()
          .replace(/^error: /, "")
          .split("\n");
        const suggestion = rest.join(" ").replaceAll(/[()]/g, "");
        invocation.messages.problem(first, suggestion || `see ${helpOf(invocation.words)}`);
      },
      getOutHasColors: () => invocation.colour,
    })
    .configureHelp({ styleTitle: (title) => invocation.style.bold(title) });
  describeCommand(
    program,
    "Terminal sessions for agents, anywhere: this host, a container, a remote machine.",
    [
      "talaria exec -- 'cd app && npm test'",
      "talaria exec --session work -- 'cd src'      # the next --session work starts there",
      "talaria shell --session work",
      "talaria doctor",
    ],
  );
  for (const { name, summary, hidden = false } of commandList) {
    program.command(name, { hidden }).summary(summary);
  }
  program.hook("preSubcommand", (_program, command) => defineCommand(command, invocation));

  program
    .command("help")
    .summary("show the help of a command")
    .argument("[topic]", "the name of a command")
    .action(async (name?: string) => {
      const command = program.commands.find((candidate) => candidate.name() === name);
      if (name !== undefined && command === undefined) program.error(`unknown command '${name}'`);
      if (command !== undefined) await defineCommand(command, invocation);
      (command ?? program).outputHelp();
    });
  return program;
}

/** Where what a command line should have been is explained. */
function helpOf(words: readonly string[]): string {
  const command = commandList.find(({ name, hidden = false }) => name === words[0] && !hidden);
  return command === undefined ? "talaria --help" : `talaria ${command.name} --help`;
}

/** Completes one command of the list; others (`help`) are complete as they are. */
async function defineCommand(command: Command, invocation: Invocation): Promise<void> {
  const listed = commandList.find(({ name }) => name === command.name());
  if (listed === undefined) return;
  const { define } = await listed.load();
  define(command, invocation);
}

/** Completes every command, for completion and for tests that look at all of them. */
export async function defineAllCommands(program: Command, invocation: Invocation): Promise<void> {
  await Promise.all(program.commands.map((command) => defineCommand(command, invocation)));
}

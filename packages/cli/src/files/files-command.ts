import type { Command } from "commander";
import { describeCommand } from "../program/command-help.js";
import type { Invocation } from "../program/invocation.js";
import { defineChanging } from "./changing-commands.js";
import { defineCopying } from "./copying-command.js";
import { defineFinding } from "./finding-commands.js";
import { defineReading } from "./reading-commands.js";
import { defineWriting } from "./writing-commands.js";

export function define(command: Command, invocation: Invocation): void {
  describeCommand(
    command,
    "Works on the files of a sandbox. A relative path is relative to where the session stands, ~/… to the sandbox's home.",
    [
      "talaria files read src/main.ts --offset 100 --limit 40",
      "talaria files write notes.txt < notes.txt",
      "talaria files patch src/main.ts --find 'port = 80' --replace 'port = 8080'",
      "talaria files search 'TODO' src --glob '*.ts'",
      "talaria files cp host:./app work:/srv/app       # a tree, into the session `work`",
      "talaria files ls --session work -l",
    ],
  );
  command.helpCommand(false);
  defineReading(command, invocation);
  defineWriting(command, invocation);
  defineFinding(command, invocation);
  defineChanging(command, invocation);
  defineCopying(command, invocation);
}

import type { Command } from "commander";
import { addJson } from "../program/command-action.js";
import { describeCommand } from "../program/command-help.js";
import type { Invocation } from "../program/invocation.js";

interface JsonOption {
  readonly json?: boolean;
}

export function define(command: Command, invocation: Invocation): void {
  describeCommand(command, "Reads and changes the configuration. Every value knows where it came from.", [
    "talaria config list",
    "talaria config get terminal.backend",
    "talaria config set terminal.timeout 300    # comments in the file stay",
    "talaria config unset terminal.timeout",
    "talaria config check",
  ]);

  command.helpCommand(false);
  addJson(command.command("get").summary("show one value, or all, with where each came from"))
    .argument("[key]", "dotted key; all that have a value when left out")
    .action(async (key: string | undefined, { json = false }: JsonOption) => {
      const { getValue, listValues } = await import("./show-values.js");
      invocation.status = await (key === undefined
        ? listValues(invocation, json)
        : getValue(invocation, key, json));
    });

  addJson(command.command("list").summary("show all values that are set, and the defaults")).action(
    async ({ json = false }: JsonOption) => {
      const { listValues } = await import("./show-values.js");
      invocation.status = await listValues(invocation, json);
    },
  );

  addJson(command.command("set").summary("set a value in the user's file"))
    .argument("<key>", "dotted key")
    .argument("[value]", "its value, lists as a,b or JSON; read from stdin when left out")
    .action(async (key: string, value: string | undefined, { json = false }: JsonOption) => {
      const { setValue } = await import("./change-values.js");
      invocation.status = await setValue(invocation, key, value, json);
    });

  addJson(command.command("unset").summary("remove a value from the user's file"))
    .argument("<key>", "dotted key")
    .action(async (key: string, { json = false }: JsonOption) => {
      const { unsetValue } = await import("./change-values.js");
      invocation.status = await unsetValue(invocation, key, json);
    });

  addJson(command.command("check").summary("say all that is wrong with the configuration")).action(
    async ({ json = false }: JsonOption) => {
      const { checkValues } = await import("./check-values.js");
      invocation.status = await checkValues(invocation, json);
    },
  );

  addJson(command.command("path").summary("print where the user's file is")).action(
    async ({ json = false }: JsonOption) => {
      const { showPath } = await import("./show-path.js");
      invocation.status = await showPath(invocation, json);
    },
  );
}

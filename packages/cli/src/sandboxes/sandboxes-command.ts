import type { Command } from "commander";
import { addJson } from "../program/command-action.js";
import { describeCommand } from "../program/command-help.js";
import type { Invocation } from "../program/invocation.js";

interface ListOptions {
  readonly backend?: string;
  readonly json?: boolean;
}

export function define(command: Command, invocation: Invocation): void {
  describeCommand(command, "Lists the sandboxes Talaria has made, and frees those nobody holds any more.", [
    "talaria sandboxes list",
    "talaria sandboxes gc --dry-run",
    "talaria sandboxes gc --backend docker",
  ]);
  command.helpCommand(false);
  addJson(command.command("list").summary("show the sandboxes there are, with owner and lease"))
    .option("-b, --backend <backend>", "of this backend only")
    .action(async ({ backend, json = false }: ListOptions) => {
      const { listSandboxes } = await import("./list-sandboxes.js");
      invocation.status = await listSandboxes(invocation, backend, json);
    });
  addJson(command.command("gc").summary("free the sandboxes whose owner is gone"))
    .option("-b, --backend <backend>", "of this backend only")
    .option("-n, --dry-run", "say what would be freed, and free nothing")
    .action(async ({ backend, dryRun = false, json = false }: ListOptions & { dryRun?: boolean }) => {
      const { collectSandboxes } = await import("./collect-sandboxes.js");
      invocation.status = await collectSandboxes(invocation, backend, dryRun, json);
    });
}

import { auditKinds } from "@talaria/core";
import { Option, type Command } from "commander";
import { addJson, addVerbosity } from "../program/command-action.js";
import { describeCommand } from "../program/command-help.js";
import type { Invocation } from "../program/invocation.js";
import { countNumber } from "../program/option-values.js";
import type { AuditOptions } from "./show-audit.js";
import { readMoment } from "./moment.js";

export function define(command: Command, invocation: Invocation): void {
  describeCommand(
    command,
    "Shows what agents have done: commands, jobs, changes of files, approvals. Oldest first.",
    [
      "talaria audit                         # the last 100",
      "talaria audit -f                      # and those to come",
      "talaria audit --since 2h --kind command",
      "talaria audit --session work --json",
    ],
  );
  command
    .option("-f, --follow", "go on with what happens from now on, until Ctrl-C")
    .option(
      "--since <when>",
      "only what is younger: a span (30m, 2h, 7d) or a moment (2026-12-01T08:00)",
      readMoment,
    )
    .option("-s, --session <session>", "only of this session")
    .addOption(new Option("-k, --kind <kind>", "only this kind").choices(auditKinds))
    .option(
      "-n, --limit <n>",
      "at most the last n entries (default: 100; with --since: 10000)",
      countNumber("limit", "entries"),
    )
    .option("--verify", "look whether entries were changed or taken out, instead (status 1 when they were)");
  addVerbosity(addJson(command), invocation).action(async (options: AuditOptions) => {
    const { showAudit } = await import("./show-audit.js");
    invocation.status = await showAudit(invocation, options);
  });
}

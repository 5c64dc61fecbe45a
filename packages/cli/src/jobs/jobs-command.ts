import type { Command } from "commander";
import { describeCommand } from "../program/command-help.js";
import type { Invocation } from "../program/invocation.js";
import { defineJobEnds } from "./job-end-commands.js";
import { defineJobStart } from "./job-start-command.js";
import { defineJobViews } from "./job-view-commands.js";

export function define(command: Command, invocation: Invocation): void {
  describeCommand(
    command,
    "Starts commands that outlive the call, and looks after them. A job belongs to a session: --session, else `default`.",
    [
      "talaria jobs start -- npm run dev           # prints the job's id",
      "talaria jobs list                           # from any terminal",
      "talaria jobs logs -f 3f                     # the beginning of an id is enough; Ctrl-C leaves the job running",
      "talaria jobs wait 3f                        # ends with the job's exit status",
      "talaria jobs stop 3f",
      "talaria jobs start --session work -- make   # a job of the session `work`",
    ],
  );
  command.helpCommand(false);
  defineJobStart(command, invocation);
  defineJobViews(command, invocation);
  defineJobEnds(command, invocation);
}

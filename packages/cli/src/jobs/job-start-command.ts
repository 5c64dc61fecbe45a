import type { Command } from "commander";
import { addJson, addVerbosity } from "../program/command-action.js";
import { describeCommand } from "../program/command-help.js";
import type { Invocation } from "../program/invocation.js";
import { addVariable } from "../program/option-values.js";
import { addJobSession } from "./job-options.js";
import type { StartOptions } from "./start-job.js";

export function defineJobStart(parent: Command, invocation: Invocation): void {
  const command = addJobSession(parent.command("start").summary("start a command as a job and print its id"))
    .usage("[options] -- <shell text | words...>")
    .argument("[command...]", "what to run")
    .passThroughOptions()
    .option("-w, --workdir <dir>", "start in this directory")
    .option("-e, --env <NAME=VALUE>", "set a variable in the job (repeatable)", addVariable)
    .option(
      "-k, --key <key>",
      "start it once: with a key that was used before, the job started then is meant",
    )
    .option("-l, --label <label>", "a name to show in lists")
    .option("-i, --stdin", "leave its stdin open for `talaria jobs write` (default: it reads an empty one)")
    .option("-t, --tty", "run it on a terminal of its own")
    .option("-y, --yes", "approve a command that looks dangerous");
  describeCommand(
    command,
    "Starts a command as a job of the session, where the session stands, and prints its id.",
    [
      "talaria jobs start -- npm run dev",
      "talaria jobs start --label server --env PORT=3000 -- 'cd app && npm start'",
      "talaria jobs start --key nightly-2026-12-01 -- make backup   # a second call starts no second one",
    ],
  );
  addVerbosity(addJson(command), invocation).action(async (words: string[], options: StartOptions) => {
    const { startJob } = await import("./start-job.js");
    invocation.status = await startJob(invocation, words, options);
  });
}

import type { Command } from "commander";
import { addJson, addVerbosity } from "../program/command-action.js";
import { describeCommand } from "../program/command-help.js";
import type { Invocation } from "../program/invocation.js";
import { countNumber } from "../program/option-values.js";
import { addJobSession, type JobOptions } from "./job-options.js";
import type { LogOptions } from "./show-logs.js";

/** `list`, `show`, `logs`: look, and change nothing. */
export function defineJobViews(parent: Command, invocation: Invocation): void {
  addVerbosity(
    addJson(addJobSession(parent.command("list").summary("show the jobs of a session"))),
    invocation,
  ).action(async (options: JobOptions) => {
    const { listJobs } = await import("./list-jobs.js");
    invocation.status = await listJobs(invocation, options);
  });

  addVerbosity(
    addJson(
      addJobSession(
        parent
          .command("show")
          .summary("show all that is known of a job")
          .argument("<job>", "its id, or the beginning of it"),
      ),
    ),
    invocation,
  ).action(async (job: string, options: JobOptions) => {
    const { showJob } = await import("./show-job.js");
    invocation.status = await showJob(invocation, job, options);
  });

  const logs = addJobSession(
    parent
      .command("logs")
      .summary("print what a job has written")
      .argument("<job>", "its id, or the beginning of it"),
  )
    .option("-f, --follow", "go on until the job ends; Ctrl-C ends the following, not the job")
    .option("--since <offset>", "begin at this byte of the log", countNumber("since", "bytes"))
    .option("--tail <bytes>", "begin this many bytes before its end", countNumber("tail", "bytes"));
  describeCommand(logs, "Prints what a job has written, byte for byte, stdout and stderr in one.", [
    "talaria jobs logs 3f",
    "talaria jobs logs -f 3f            # until it ends",
    "talaria jobs logs --tail 2000 3f",
    "talaria jobs logs --json --since 1024 3f   # a page, and the offset of the next one",
  ]);
  addVerbosity(addJson(logs), invocation).action(async (job: string, options: LogOptions) => {
    const { showLogs } = await import("./show-logs.js");
    invocation.status = await showLogs(invocation, job, options);
  });
}

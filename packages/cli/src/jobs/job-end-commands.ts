import type { Command } from "commander";
import { addJson, addVerbosity } from "../program/command-action.js";
import { describeCommand } from "../program/command-help.js";
import type { Invocation } from "../program/invocation.js";
import { countNumber, positiveNumber } from "../program/option-values.js";
import { addJobSession, type JobOptions } from "./job-options.js";
import type { StopOptions } from "./stop-jobs.js";
import type { WaitOptions } from "./wait-for-job.js";
import type { WriteOptions } from "./write-to-job.js";

/** `stop`, `signal`, `write`, `wait`, `remove`. */
export function defineJobEnds(parent: Command, invocation: Invocation): void {
  const one = (name: string, summary: string): Command =>
    addJobSession(parent.command(name).summary(summary).argument("<job>", "its id, or the beginning of it"));
  const many = (name: string, summary: string): Command =>
    addJobSession(
      parent.command(name).summary(summary).argument("<job...>", "their ids, or the beginnings of them"),
    );
  const withForms = (command: Command): Command => addVerbosity(addJson(command), invocation);

  withForms(
    many("stop", "end jobs with everything they started").option(
      "--grace-ms <n>",
      "milliseconds between TERM and KILL (default: 2000)",
      countNumber("grace-ms", "milliseconds"),
    ),
  ).action(async (jobs: string[], options: StopOptions) => {
    const { stopJobs } = await import("./stop-jobs.js");
    invocation.status = await stopJobs(invocation, jobs, options);
  });

  withForms(one("signal", "send a job's processes a signal"))
    .argument("<signal>", "INT, HUP, USR1 …")
    .action(async (job: string, signal: string, options: JobOptions) => {
      const { signalJob } = await import("./signal-job.js");
      invocation.status = await signalJob(invocation, job, signal, options);
    });

  const write = one("write", "write to a job's stdin")
    .argument("[text]", "what to write, a newline is added; stdin, byte for byte, when left out")
    .option("--close", "close the job's stdin after it")
    .option("--no-newline", "add no newline to the text");
  describeCommand(write, "Writes to the stdin of a job.", [
    "talaria jobs write 3f yes",
    "talaria jobs write --close 3f < answers.txt",
  ]);
  withForms(write).action(async (job: string, text: string | undefined, options: WriteOptions) => {
    const { writeToJob } = await import("./write-to-job.js");
    invocation.status = await writeToJob(invocation, job, text, options);
  });

  const wait = one("wait", "wait for a job, and end with its exit status")
    .option("--port <n>", "wait until it listens on this port instead", countNumber("port", ""))
    .option("--log <text>", "wait until it has written this text instead")
    .option(
      "--timeout-ms <n>",
      "give up after n milliseconds (status 124)",
      positiveNumber("timeout-ms", "milliseconds"),
    );
  describeCommand(
    wait,
    "Waits for a job and ends with its exit status: 128 + n for signal n, 124 when time is up, 125 when Talaria failed.",
    [
      "talaria jobs wait 3f",
      "talaria jobs wait --port 3000 --timeout-ms 30000 3f",
      "talaria jobs wait --log 'ready in' 3f",
    ],
  );
  withForms(wait).action(async (job: string, options: WaitOptions) => {
    const { waitForJob } = await import("./wait-for-job.js");
    invocation.status = await waitForJob(invocation, job, options);
  });

  withForms(many("remove", "forget jobs that have ended, with their logs")).action(
    async (jobs: string[], options: JobOptions) => {
      const { removeJobs } = await import("./remove-jobs.js");
      invocation.status = await removeJobs(invocation, jobs, options);
    },
  );
}

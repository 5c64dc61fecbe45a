import type { JobInfo } from "@talaria/core";
import { success } from "../exit-status.js";
import { formatBytes, formatSpan } from "../output/amounts.js";
import { formatDocument } from "../output/json-document.js";
import type { Look, Style } from "../output/style.js";
import { formatTable } from "../output/table.js";
import { inSession } from "../program/in-session.js";
import type { Invocation } from "../program/invocation.js";
import { jobMember, stateText } from "./job-member.js";
import type { JobOptions } from "./job-options.js";

const shownCharacters = 80;

/** Prints the jobs of a session, the newest first. */
export async function listJobs(invocation: Invocation, options: JobOptions): Promise<number> {
  const { stdout, messages, style } = invocation;
  return inSession(invocation, options, async (session) => {
    const jobs = await session.jobs.list();
    if (options.json) {
      const { backend } = session;
      await stdout.write(formatDocument({ session: options.session, backend, jobs: jobs.map(jobMember) }));
      return success;
    }
    if (jobs.length === 0) {
      messages.note(`the session ${options.session} has no jobs`);
      return success;
    }
    const head = ["job", "state", "exit", "age", "output", "command"];
    for (const line of formatTable([head, ...jobs.map((job) => row(job, style))]))
      await stdout.write(`${line}\n`);
    return success;
  });
}

function row(job: JobInfo, style: Style): (string | { text: string; look: Look })[] {
  const { id, state, exitCode, startedAt, bytes, label, command } = job;
  const [line = ""] = command.split("\n", 1);
  const shown =
    line.length > shownCharacters || line.length < command.length
      ? `${line.slice(0, shownCharacters)} …`
      : line;
  return [
    id,
    { text: state === "signaled" ? stateText(job) : state, look: lookOf(job, style) },
    exitCode === null ? "-" : String(exitCode),
    formatSpan(Date.now() - startedAt.getTime()),
    formatBytes(bytes),
    label === null ? shown : `${label}: ${shown}`,
  ];
}

function lookOf({ state, exitCode }: JobInfo, style: Style): Look {
  if (state === "running") return style.good;
  return state === "stopped" || exitCode === 0 ? style.dim : style.bad;
}

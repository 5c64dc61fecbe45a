import { success } from "../exit-status.js";
import { formatBytes, formatSpan } from "../output/amounts.js";
import { formatDocument } from "../output/json-document.js";
import { formatTable } from "../output/table.js";
import { visibleText } from "../output/visible-text.js";
import { inSession } from "../program/in-session.js";
import type { Invocation } from "../program/invocation.js";
import { jobMember, stateText } from "./job-member.js";
import type { JobOptions } from "./job-options.js";

/** Prints all that is known of a job. */
export async function showJob(invocation: Invocation, id: string, options: JobOptions): Promise<number> {
  const { stdout, style } = invocation;
  return inSession(invocation, options, async (session) => {
    const info = await (await session.jobs.get(id)).info();
    if (options.json) {
      await stdout.write(formatDocument(jobMember(info)));
      return success;
    }
    const { startedAt, endedAt } = info;
    const ended = endedAt ?? new Date();
    const rows: [string, string][] = [
      ["job", info.id],
      ["state", stateText(info)],
      ["started", startedAt.toISOString()],
      [endedAt === null ? "since" : "took", formatSpan(ended.getTime() - startedAt.getTime())],
      ["output", formatBytes(info.bytes)],
      ["directory", info.cwd],
      ["pid", info.pid === null ? "-" : String(info.pid)],
      ["stdin", info.tty ? "a terminal" : info.stdin],
      ...(info.label === null ? [] : [["label", info.label] as [string, string]]),
      ...(info.key === null ? [] : [["key", info.key] as [string, string]]),
    ];
    for (const line of formatTable(rows.map(([name, value]) => [{ text: name, look: style.bold }, value])))
      stdout.line(line);
    stdout.line();
    stdout.line(visibleText(info.command));
    return success;
  });
}

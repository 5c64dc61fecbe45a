import type { TerminalSession } from "@talaria/core";
import { describeKill } from "../exec/explain-outcome.js";
import { shownOutput } from "./shown-output.js";
import type { TourStep } from "./tour-step.js";

/** SPEC 2.7: one relative path means one file, for a command and for the file tools. */
export async function writeAndPatch(session: TerminalSession): Promise<TourStep> {
  const name = "port.txt";
  const { path } = await session.files.write(name, "host = example.test\n    port  =  3000\n");
  const { diff, edits } = await session.files.patch(name, { find: "port = 3000", replace: "port = 8080" });
  const { output } = await session.execute(`cat ${name}`);
  const { text } = await session.files.read(name);
  const isSame = output === text;
  return {
    title: "Files: written and patched where the cd went, and a command sees the same",
    lines: [
      `files.write("${name}", …)   ${path}`,
      `files.patch("${name}", …)   found by ${edits[0]?.strategy ?? "nothing"}:`,
      ...shownOutput(diff),
      `$ cat ${name}`,
      ...shownOutput(output),
      isSame ? "equal, byte for byte" : "NOT equal",
    ],
    ok: isSame && text.includes("8080") && path.endsWith(`/notes/${name}`),
  };
}

/** A job is followed until it has said that it is ready, and then stopped. */
export async function followAJob(session: TerminalSession): Promise<TourStep> {
  const command = "echo starting; sleep 0.2; echo ready; sleep 304";
  const job = await session.jobs.start(command, { label: "tour" });
  try {
    let heard = "";
    for await (const { bytes } of job.follow()) {
      heard += Buffer.from(bytes).toString();
      if (heard.includes("ready\n")) break;
    }
    const report = await job.stop({ graceMs: 300 });
    const { state, bytes } = await job.info();
    return {
      title: "A job outlives its call: followed as it writes, stopped with everything it started",
      lines: [
        `jobs.start("${command}")   job ${job.id}`,
        ...shownOutput(heard),
        `stopped, killed: ${report.killed} (${describeKill(report)}); ${bytes} bytes stay in its log`,
      ],
      ok: state === "stopped" && report.survivors.length === 0 && heard.startsWith("starting\n"),
    };
  } finally {
    // Also when following failed: a guided tour leaves nothing running.
    await job.stop({ graceMs: 0 });
    await session.jobs.remove(job.id);
  }
}

/**
 * A command that no setting allows. The disk does not exist: should the policy have failed, nothing is lost, and the
 * file that the command would have made tells.
 */
export async function refuseACommand(session: TerminalSession): Promise<TourStep> {
  const command = `touch it-ran; sh -c 'mk"f"s.ext4 /dev/sdzz99'`;
  const { outcome } = await session.execute(command);
  const hasRun = await session.files.exists("it-ran");
  const isDenied = outcome.kind === "notStarted" && outcome.reason === "denied";
  return {
    title: "A command that would erase a disk is read as a shell reads it, and never runs",
    lines: [
      `$ ${command}`,
      ...shownOutput(outcome.kind === "notStarted" ? outcome.detail : `ended otherwise: ${outcome.kind}`),
      hasRun ? "it has RUN" : "nothing of it ran: there is no file it-ran",
    ],
    ok: isDenied && !hasRun,
  };
}

import { shellQuote, type TerminalSession } from "@talaria/core";
import { shownOutput } from "./shown-output.js";
import type { TourStep } from "./tour-step.js";

export async function runACommand(session: TerminalSession): Promise<TourStep> {
  const command = "uname -sr; echo 'and this is stderr' >&2; exit 3";
  const { output, exitCode, outcome, timing } = await session.execute(command);
  return {
    title: "A command: both streams in exact order, and a status that is returned, not thrown",
    lines: [
      `$ ${command}`,
      ...shownOutput(output),
      `${outcome.kind}, exit code ${exitCode}, after ${timing.exitMs.toFixed(1)} ms`,
    ],
    ok: exitCode === 3,
  };
}

/** `folder` exists and is empty. */
export async function rememberACd(session: TerminalSession, folder: string): Promise<TourStep> {
  const first = `cd ${shellQuote(folder)} && mkdir notes && cd notes && echo 'written where the cd went' > hello.txt`;
  const second = "pwd; ls";
  const { exitCode } = await session.execute(first);
  const { output, cwd } = await session.execute(second);
  return {
    title: "A cd is remembered by the next command",
    lines: [`$ ${first}`, `$ ${second}`, ...shownOutput(output)],
    ok: exitCode === 0 && cwd.endsWith("/notes") && output.includes("hello.txt"),
  };
}

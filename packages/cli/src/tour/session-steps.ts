import { shellQuote, type TerminalSession } from "@talaria/core";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TourStep } from "./tour-step.js";

const shown = (output: string): string[] =>
  output
    .trimEnd()
    .split("\n")
    .map((line) => `  ${line}`);

export async function runACommand(session: TerminalSession): Promise<TourStep> {
  const command = "uname -sr; echo 'and this is stderr' >&2; exit 3";
  const { output, exitCode, outcome, timing } = await session.execute(command);
  return {
    title: "A command: both streams in exact order, and a status that is returned, not thrown",
    lines: [
      `$ ${command}`,
      ...shown(output),
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
    lines: [`$ ${first}`, `$ ${second}`, ...shown(output)],
    ok: exitCode === 0 && cwd.endsWith("/notes") && output.includes("hello.txt"),
  };
}

/** SPEC 2.7, as far as this version has file tools: one relative path means one file, for a command and for a reader. */
export async function readOneFileTwice(session: TerminalSession): Promise<TourStep> {
  const name = "hello.txt";
  const { output: byCommand, cwd } = await session.execute(`cat ${name}`);
  const path = join(cwd, name);
  const byPath = await readFile(path, "utf8");
  const same = byCommand === byPath;
  return {
    title: "One relative path, one file: for a command and for whoever joins it to the session's cwd",
    lines: [
      `$ cat ${name}`,
      ...shown(byCommand),
      `session.cwd + ${name} = ${path}`,
      ...shown(byPath),
      same ? "equal, byte for byte" : "NOT equal",
    ],
    ok: same && byPath.length > 0,
  };
}

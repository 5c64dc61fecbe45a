import { TalariaError } from "@talaria/core";
import { CommanderError } from "commander";
import { failure, success, talariaFailure, usageFailure } from "./exit-status.js";
import { formatDocument } from "./output/json-document.js";
import { errorMember } from "./output/error-member.js";
import { currentInvocation, type Invocation } from "./program/invocation.js";
import { refusedPlatform } from "./program/platform.js";
import { buildProgram } from "./program/program.js";

/** Runs one command line and returns the exit status. Everything written has left the process by then. */
export async function main(words: readonly string[]): Promise<number> {
  const invocation = currentInvocation(words);
  const status = await run(invocation);
  await invocation.stdout.flush();
  await invocation.stderr.flush();
  return status;
}

async function run(invocation: Invocation): Promise<number> {
  const { words } = invocation;
  const own = words.find((word) => !word.startsWith("-"));
  // A status below 126 of these two may be the command's own; failures of Talaria have a number apart.
  const passesStatus = own === "exec" || own === "shell";
  const refusal = refusedPlatform(process.platform);
  if (refusal !== undefined) {
    invocation.messages.problem(refusal.text, refusal.hint);
    return passesStatus ? talariaFailure : failure;
  }
  const program = buildProgram(invocation);
  if (words.length === 0) {
    program.outputHelp();
    return success;
  }
  try {
    await program.parseAsync(words, { from: "user" });
    return invocation.status;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return success;
      return passesStatus ? talariaFailure : usageFailure;
    }
    if (wantsJson(words)) void invocation.stdout.write(formatDocument({ error: errorMember(error) }));
    invocation.messages.error(error);
    if (passesStatus) return talariaFailure;
    return TalariaError.isInstance(error) && error.code === "invalid_argument" ? usageFailure : failure;
  }
}

/** Whether a failure is also due as a document: `--json` among the options, not among the command's own words. */
function wantsJson(words: readonly string[]): boolean {
  const end = words.indexOf("--");
  return words.slice(0, end === -1 ? words.length : end).includes("--json");
}

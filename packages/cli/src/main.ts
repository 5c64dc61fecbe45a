import { TalariaError } from "@talaria/core";
import { CommanderError } from "commander";
import { failure, success, talariaFailure, usageFailure } from "./exit-status.js";
import { formatDocument } from "./output/json-document.js";
import { errorMember } from "./output/error-member.js";
import { watchForEarlyEnd } from "./program/early-end.js";
import { requireExactWords } from "./program/exact-words.js";
import { currentInvocation, type Invocation } from "./program/invocation.js";
import { refusedPlatform } from "./program/platform.js";
import { buildProgram } from "./program/program.js";

/** Runs one command line and returns the exit status. Everything written has left the process by then. */
export async function main(words: readonly string[]): Promise<number> {
  const invocation = currentInvocation(words);
  const { stdout, stderr, messages } = invocation;
  // A fault that no call was waiting for still ends with the right status, and with a text instead of a stack.
  process.on("uncaughtException", (error) => {
    messages.error(error);
    process.exit(statusOfFailure(invocation));
  });
  const workIsDone = watchForEarlyEnd(statusOfFailure(invocation));
  const status = await run(invocation);
  await stdout.flush();
  const unwritten = stdout.lost?.isGone === false ? stdout.lost : undefined;
  if (unwritten !== undefined) messages.problem(`stdout could not be written: ${unwritten.message}`);
  await stderr.flush();
  workIsDone();
  return unwritten === undefined ? status : statusOfFailure(invocation);
}

async function run(invocation: Invocation): Promise<number> {
  const { words, messages } = invocation;
  const refusal = refusedPlatform(process.platform);
  if (refusal !== undefined) {
    messages.problem(refusal.text, refusal.hint);
    return statusOfFailure(invocation);
  }
  try {
    requireExactWords(words);
  } catch (error) {
    return tellFailure(invocation, error);
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
      // The parser has said it on stderr already.
      if (wantsJson(words)) {
        const message = error.message.replace(/^error: /, "");
        void invocation.stdout.write(formatDocument({ error: { code: "invalid_argument", message } }));
      }
      return statusOfFailure(invocation, usageFailure);
    }
    return tellFailure(invocation, error);
  }
}

/** Says why Talaria failed, as a document too where one is due, and returns the status that goes with it. */
function tellFailure(invocation: Invocation, error: unknown): number {
  const { words, messages, stdout } = invocation;
  if (wantsJson(words)) void stdout.write(formatDocument({ error: errorMember(error) }));
  messages.error(error);
  const code = TalariaError.isInstance(error) ? error.code : undefined;
  // A refused command has the same number whoever was to run it.
  if (code === "denied") return talariaFailure;
  const isUsage = code === "invalid_argument";
  return statusOfFailure(invocation, isUsage ? usageFailure : failure);
}

/**
 * The status of a failure of Talaria itself. A status of `exec`, `shell` and `jobs wait` below 126 may be the command's
 * own, so these have a number apart.
 */
function statusOfFailure({ words }: Invocation, otherwise = failure): number {
  const [command, subcommand] = words.filter((word) => !word.startsWith("-"));
  const endsWithOther =
    command === "exec" || command === "shell" || (command === "jobs" && subcommand === "wait");
  return endsWithOther ? talariaFailure : otherwise;
}

/** Whether a failure is also due as a document: `--json` among the options, not among the command's own words. */
function wantsJson(words: readonly string[]): boolean {
  const end = words.indexOf("--");
  return words.slice(0, end === -1 ? words.length : end).includes("--json");
}

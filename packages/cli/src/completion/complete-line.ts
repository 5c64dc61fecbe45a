import { success } from "../exit-status.js";
import type { Invocation } from "../program/invocation.js";
import { buildProgram, defineAllCommands } from "../program/program.js";
import { completeWords } from "./complete-words.js";
import { nameSource } from "./name-source.js";

/** Answers a completion script: one line for what else to offer, then `value<TAB>description` lines. */
export async function completeLine(invocation: Invocation, words: readonly string[]): Promise<number> {
  const program = buildProgram(invocation);
  await defineAllCommands(program, invocation);
  const { candidates, files } = await completeWords(program, words, nameSource);
  const lines = candidates.map(
    ({ value, description }) => `${value}\t${description.replaceAll(/\s+/g, " ")}`,
  );
  await invocation.stdout.write([files ? ":files" : ":none", ...lines, ""].join("\n"));
  return success;
}

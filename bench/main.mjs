// @ts-check
import { bootstrapOrExit } from "../scripts/bootstrap/bootstrap.mjs";
import { readArguments, usage } from "./arguments.mjs";
import { countVerdicts } from "./figure.mjs";
import { groupNames } from "./group-list.mjs";
import { loadAverage, machineFacts } from "./machine-facts.mjs";
import { reportDocument } from "./report/document.mjs";
import { reportText } from "./report/text.mjs";
import { runGroup } from "./run-group.mjs";

/**
 * Runs one benchmark command line. Progress and problems go to stderr, the report alone to stdout.
 *
 * @param {readonly string[]} words
 * @returns {Promise<number>} the exit status: 1 when a group failed, or a target was missed under `--check`
 */
export async function main(words) {
  const read = readArguments(words);
  if ("problem" in read) {
    process.stderr.write(`bench: ${read.problem}\n\n${usage}`);
    return 2;
  }
  if (read.isHelpWanted) {
    process.stdout.write(usage);
    return 0;
  }
  await bootstrapOrExit();
  const startedAt = new Date();
  const machine = await machineFacts();
  const groups = [];
  for (const name of groupNames) {
    if (read.only.length > 0 && !read.only.includes(name)) continue;
    process.stderr.write(`bench: ${name} …\n`);
    groups.push(await runGroup(name, read.isQuick));
  }
  const report = {
    backend: read.backend,
    isQuick: read.isQuick,
    startedAt,
    machine: { ...machine, loadAverageAtEnd: loadAverage() },
    groups,
  };
  process.stdout.write(read.isJson ? reportDocument(report) : reportText(report));
  const hasFailed = groups.some((group) => group.error !== null);
  const { missed } = countVerdicts(groups);
  return hasFailed || (read.isChecked && missed > 0) ? 1 : 0;
}

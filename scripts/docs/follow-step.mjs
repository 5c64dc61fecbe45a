// @ts-check
import { matchesOutput } from "./matches-output.mjs";

/**
 * Does what a step says. Gives what was not as the page says, or undefined.
 *
 * @param {import("./reader-folder.mjs").ReaderFolder} reader
 * @param {import("./page-steps.mjs").Step} step
 * @returns {Promise<string | undefined>}
 */
export async function followStep(reader, step) {
  if (step.kind === "file") {
    reader.write(step.file, step.text);
    return undefined;
  }
  if (step.kind === "command") {
    const { output } = await reader.run(["bash", "-c", step.command]);
    return difference(step.shown, output);
  }
  const { status, stdout, output } = await reader.run([process.execPath, step.file]);
  if (status !== 0) return `ended with ${status}:\n${output}`;
  return step.shown === undefined ? undefined : difference(step.shown, stdout);
}

/**
 * @param {string} shown
 * @param {string} printed
 */
function difference(shown, printed) {
  return matchesOutput(shown, printed)
    ? undefined
    : `the page shows:\n${shown}\nbut this was printed:\n${printed}`;
}

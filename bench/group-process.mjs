// @ts-check
// Measures the one group its parent names, and answers with the result. Started by run-group.mjs only.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { groupList } from "./group-list.mjs";

const folder = mkdtempSync(path.join(tmpdir(), "talaria-bench-"));
// Also when a signal or an error ends us in the middle.
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.on(signal, () => process.exit(1));

process.once("message", (/** @type {any} */ { name, isQuick }) => {
  void answer(name, isQuick).then((message) => process.send?.(message, () => process.exit(0)));
});

/**
 * @param {string} name
 * @param {boolean} isQuick
 */
async function answer(name, isQuick) {
  try {
    const group = groupList.find((one) => one.name === name);
    if (group === undefined) throw new Error(`there is no group "${name}"`);
    const { measure } = await group.load();
    return { result: await measure({ isQuick, folder }) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

// @ts-check
import { missingNeeds } from "./needs.mjs";
import { testbedFolder } from "./testbed-folder.mjs";

/**
 * @param {readonly import("./engine.mjs").Engine[]} engines
 * @param {boolean} isJson
 * @returns {Promise<number>} 0 when all of them are up
 */
export async function printStatus(engines, isJson) {
  const folder = testbedFolder();
  const rows = [];
  for (const engine of engines) {
    const missing = missingNeeds(engine.needs).map((need) => need.debian);
    rows.push({ engine: engine.name, ...(await engine.status({ folder })), missingPackages: missing });
  }
  if (isJson) {
    process.stdout.write(`${JSON.stringify({ folder, engines: rows }, null, 2)}\n`);
  } else {
    const width = Math.max(...rows.map((row) => row.engine.length), "engine".length);
    process.stdout.write(`${"engine".padEnd(width)}  state  detail\n`);
    for (const row of rows) {
      process.stdout.write(`${row.engine.padEnd(width)}  ${row.isUp ? "up   " : "down "}  ${row.detail}\n`);
    }
    process.stdout.write(`\nkept in ${folder}\n`);
  }
  return rows.every((row) => row.isUp) ? 0 : 1;
}

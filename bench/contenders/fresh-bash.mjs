// @ts-check
import { spawn } from "node:child_process";

/**
 * A new `bash -c` for each command: what one writes without a library.
 *
 * @param {import("./contender.mjs").Place} place
 * @returns {import("./contender.mjs").Contender}
 */
export function freshBash(place) {
  return {
    name: "bash -c",
    run: (script) => runFreshBash(script, place),
    close: async () => {},
  };
}

/**
 * @param {string} script
 * @param {import("./contender.mjs").Place} place
 * @returns {Promise<import("./contender.mjs").CommandAnswer>}
 */
function runFreshBash(script, { cwd, env }) {
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["-c", script], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    /** @type {Buffer[]} */
    const pieces = [];
    child.stdout.on("data", (piece) => pieces.push(piece));
    child.stderr.on("data", (piece) => pieces.push(piece));
    child.on("error", reject);
    child.on("close", (exitCode) => resolve({ exitCode, output: Buffer.concat(pieces).toString("utf8") }));
  });
}

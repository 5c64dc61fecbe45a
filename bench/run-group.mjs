// @ts-check
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { loadAverage } from "./machine-facts.mjs";

const groupProcess = fileURLToPath(new URL("./group-process.mjs", import.meta.url));

/**
 * Runs one group in a process of its own, so that memory, descriptors and compiled code of one never show in another.
 *
 * @param {string} name
 * @param {boolean} isQuick
 * @returns {Promise<import("./group-result.mjs").FinishedGroup>}
 */
export async function runGroup(name, isQuick) {
  const began = performance.now();
  const load = loadAverage();
  const outcome = await measuredApart(name, isQuick);
  return {
    name,
    durationMs: performance.now() - began,
    loadAverage: load,
    ...("error" in outcome
      ? { error: outcome.error, figures: [], tables: [], notes: [] }
      : { error: null, ...outcome.result }),
  };
}

/**
 * @param {string} name
 * @param {boolean} isQuick
 * @returns {Promise<{ error: string } | { result: import("./group-result.mjs").GroupResult }>}
 */
function measuredApart(name, isQuick) {
  return new Promise((resolve) => {
    // Collecting on demand: memory is compared without what is merely not collected yet.
    const child = fork(groupProcess, [], {
      execArgv: ["--expose-gc"],
      stdio: ["ignore", 2, 2, "ipc"],
      serialization: "advanced",
    });
    /** @type {any} */
    let answer;
    child.on("message", (message) => (answer = message));
    child.on("error", (error) => resolve({ error: error.message }));
    child.on("exit", (code, signal) =>
      resolve(answer ?? { error: `the process that measured it ended with ${signal ?? code} and no result` }),
    );
    child.send({ name, isQuick });
  });
}

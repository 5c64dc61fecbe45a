// @ts-check
import { spawn } from "node:child_process";

/**
 * Runs a whole Node process to its end. Throws when it failed.
 *
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>} milliseconds
 */
export function runNode(args, env) {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    child.stdout.on("data", (piece) => (text += piece));
    child.stderr.on("data", (piece) => (text += piece));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(performance.now() - began);
      else reject(new Error(`node ${args.join(" ")} ended with ${code}: ${text}`));
    });
  });
}

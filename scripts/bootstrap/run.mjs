// @ts-check
import { spawn } from "node:child_process";
import { constants } from "node:os";

/** How much of a program's stderr is kept to explain its failure. */
const keptBytes = 64 * 1024;

/**
 * Runs a program with everything it prints on stderr. A signal to us ends it too.
 *
 * @param {string} file
 * @param {readonly string[]} args
 * @param {string} cwd
 * @returns {Promise<{ status: number | "not found", errorText: string }>}
 */
export function run(file, args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, stdio: ["ignore", 2, "pipe"] });
    let errorText = "";
    child.stderr?.on("data", (chunk) => {
      process.stderr.write(chunk);
      errorText = (errorText + String(chunk)).slice(-keptBytes);
    });

    /** @type {readonly NodeJS.Signals[]} */
    const forwarded = ["SIGINT", "SIGTERM", "SIGHUP"];
    /** @type {NodeJS.Signals | undefined} */
    let received;
    /** @param {NodeJS.Signals} signal */
    const forward = (signal) => {
      received = signal;
      child.kill(signal);
    };
    for (const signal of forwarded) process.on(signal, forward);
    const stopForwarding = () => {
      for (const signal of forwarded) process.off(signal, forward);
    };

    child.on("error", (error) => {
      stopForwarding();
      if ("code" in error && error.code === "ENOENT") resolve({ status: "not found", errorText });
      else reject(error);
    });
    child.on("close", (code, signal) => {
      stopForwarding();
      if (received !== undefined) process.exit(128 + constants.signals[received]);
      resolve({ status: code ?? 128 + (signal === null ? 0 : constants.signals[signal]), errorText });
    });
  });
}

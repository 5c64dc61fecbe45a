// @ts-check
import { execFile } from "node:child_process";
import os from "node:os";
import { promisify } from "node:util";
import { root } from "../scripts/bootstrap/bootstrap.mjs";

const run = promisify(execFile);

/** @typedef {Awaited<ReturnType<typeof machineFacts>>} MachineFacts */

/** What somebody else needs to judge the numbers by. */
export async function machineFacts() {
  const cpus = os.cpus();
  return {
    cpu: cpus[0]?.model.trim() ?? "unknown",
    cores: os.availableParallelism(),
    memoryBytes: os.totalmem(),
    platform: `${os.platform()} ${os.arch()}`,
    kernel: os.release(),
    node: process.version,
    bash: await firstLine("bash", ["-c", 'printf %s "$BASH_VERSION"']),
    revision: await firstLine("git", ["-C", root, "describe", "--always", "--dirty"]),
    loadAverageAtStart: loadAverage(),
  };
}

/** How many processes wanted a processor in the last minute, ours included. */
export function loadAverage() {
  return os.loadavg()[0] ?? Number.NaN;
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 */
async function firstLine(program, args) {
  try {
    const { stdout } = await run(program, [...args]);
    return stdout.split("\n")[0] ?? "unknown";
  } catch {
    // A checkout without git, a host without bash: still worth a report.
    return "unknown";
  }
}

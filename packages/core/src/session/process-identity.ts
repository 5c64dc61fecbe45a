import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { promisify } from "node:util";
import { helperEnvironment } from "../secrets/helper-environment.js";

/** A process that cannot be mistaken for a later one with the same pid. */
export interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** When it started, as the system words it; null where that cannot be told. */
  readonly startTime: string | null;
}

/** This process. */
export async function ownIdentity(): Promise<ProcessIdentity> {
  return { host: hostname(), pid: process.pid, startTime: await startTimeOf(process.pid) };
}

/**
 * Whether a process still lives. `unknown` for one on another machine (a home on a network share, a container with a
 * process table of its own).
 */
export async function lifeOf(identity: ProcessIdentity): Promise<"alive" | "dead" | "unknown"> {
  if (identity.host !== hostname()) return "unknown";
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    // Anything but "no such process" (a process of another user, say) is a sign of life.
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return "dead";
  }
  const startTime = await startTimeOf(identity.pid);
  if (startTime === null || identity.startTime === null) return "alive";
  return startTime === identity.startTime ? "alive" : "dead";
}

async function startTimeOf(pid: number): Promise<string | null> {
  try {
    if (process.platform === "linux") {
      const stat = await readFile(`/proc/${pid}/stat`, "latin1");
      // The name, second of the fields, is in brackets and may hold anything; the start time is the 22nd.
      return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
    }
    const { stdout } = await promisify(execFile)("ps", ["-o", "lstart=", "-p", String(pid)], {
      env: helperEnvironment(),
    });
    return stdout.trim() || null;
  } catch {
    return null;
  }
}

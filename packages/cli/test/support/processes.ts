import { readFileSync, readdirSync } from "node:fs";

/** Pids of live processes that were started under a name (`exec -a`). Those that ended and wait to be collected do not count. */
export function livingAs(name: string): number[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => {
      try {
        const state = /^State:\s*(\S)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
        return state !== "Z" && readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith(name);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Waits until a condition holds, looking again every few milliseconds. Fails after the deadline with its name. */
export async function until(what: string, holds: () => boolean, deadlineMs = 5_000): Promise<void> {
  const end = Date.now() + deadlineMs;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`after ${deadlineMs} ms still not: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

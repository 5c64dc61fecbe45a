import { fstatSync } from "node:fs";

/**
 * Whether stdout and stderr are one and the same terminal, pipe or file (`2>&1`). Then their order against each other
 * can be seen, and two streams that are read apart would lose it.
 */
export function isOneTarget(): boolean {
  try {
    const [stdout, stderr] = [fstatSync(1, { bigint: true }), fstatSync(2, { bigint: true })];
    return stdout.dev === stderr.dev && stdout.ino === stderr.ino;
  } catch {
    return false;
  }
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Gives a run of tests a Talaria home of its own, so that what they do is kept neither in the configuration nor in the
 * audit of whoever runs them. Vitest calls the returned function at the end.
 */
export function setup(): () => void {
  const home = mkdtempSync(join(tmpdir(), "talaria-test-home-"));
  process.env["TALARIA_HOME"] = home;
  return () => rmSync(home, { recursive: true, force: true });
}

import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Builds the command once for all tests of this package. With nothing to do it takes a moment. */
export function setup(): void {
  const root = join(import.meta.dirname, "../../../..");
  execFileSync(process.execPath, [join(root, "scripts/bootstrap.mjs")], { cwd: root, stdio: "inherit" });
}

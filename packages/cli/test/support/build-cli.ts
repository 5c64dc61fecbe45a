import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Builds the command once for all tests of this package. Nothing to do costs about a second. */
export function setup(): void {
  const root = join(import.meta.dirname, "../../../..");
  execFileSync(join(root, "node_modules/.bin/tsc"), ["-b", "packages/cli"], { cwd: root, stdio: "inherit" });
}

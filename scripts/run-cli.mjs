// @ts-check
import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { bootstrapOrExit, root } from "./bootstrap/bootstrap.mjs";

/**
 * Runs the CLI in this very process once the checkout is ready: its streams, signals and exit status are ours, and no
 * second Node has to start.
 *
 * @param {readonly string[]} args
 */
export async function runCli(args) {
  await bootstrapOrExit();
  const bin = path.join(root, "packages", "cli", "dist", "bin.js");
  if (!existsSync(bin)) {
    process.stderr.write(`talaria: ${bin} is missing: get a complete checkout.\n`);
    process.exit(1);
  }
  process.argv = [process.execPath, bin, ...args];
  await import(pathToFileURL(bin).href);
}

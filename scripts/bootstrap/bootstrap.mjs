// @ts-check
import { fileURLToPath } from "node:url";
import { BootstrapError } from "./bootstrap-error.mjs";
import { buildIsCurrent } from "./build-state.mjs";
import { dependenciesAreCurrent } from "./dependency-state.mjs";

/** The checkout these scripts belong to. */
export const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Installs dependencies and builds, whatever of the two is missing or stale. Decided from file times and one hash, so
 * that it costs a few milliseconds when there is nothing to do. Writes to stderr only. An expected failure is one
 * message and status 1, no stack.
 *
 * @returns {Promise<void>}
 */
export async function bootstrapOrExit() {
  try {
    if (!dependenciesAreCurrent(root) || !buildIsCurrent(root)) await installAndBuild();
  } catch (error) {
    if (!(error instanceof BootstrapError)) throw error;
    process.stderr.write(`talaria: ${error.message}\n`);
    process.exit(1);
  }
}

/** Loads what is needed only when there is work: it stays out of the way of every other start. */
async function installAndBuild() {
  const { withLock } = await import("./lock.mjs");
  const { installDependencies } = await import("./install-dependencies.mjs");
  const { build } = await import("./build.mjs");
  await withLock(root, async () => {
    // Asked again: whoever held the lock before may have done it all.
    if (!dependenciesAreCurrent(root)) await installDependencies(root);
    if (!buildIsCurrent(root)) await build(root);
  });
}

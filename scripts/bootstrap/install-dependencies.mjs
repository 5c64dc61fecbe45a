// @ts-check
import { existsSync } from "node:fs";
import path from "node:path";
import { BootstrapError } from "./bootstrap-error.mjs";
import { dependenciesAreCurrent, stampDependencies } from "./dependency-state.mjs";
import { run } from "./run.mjs";

/** What npm says when it could not reach its registry. */
const offline =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTCACHED|network/i;

/**
 * Installs exactly what the lock says.
 *
 * @param {string} root
 */
export async function installDependencies(root) {
  process.stderr.write("talaria: installing dependencies (once, about half a minute) …\n");
  // `install` mends what is there and takes its changes back when it fails; `ci` starts over. Neither writes the lock.
  const isInstalled = existsSync(path.join(root, "node_modules", ".package-lock.json"));
  if (isInstalled) {
    await npm(root, ["install", "--no-save"]);
    if (dependenciesAreCurrent(root)) return;
  }
  await npm(root, ["ci"]);
  stampDependencies(root);
}

/**
 * @param {string} root
 * @param {readonly string[]} command
 */
async function npm(root, command) {
  // Said on the command line, because a surrounding `npm start --silent` or NODE_ENV=production would say otherwise.
  const options = ["--include=dev", "--loglevel=error", "--no-audit", "--no-fund", "--prefer-offline"];
  const patience = ["--fetch-retries=2", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"];
  const [file, ...first] = npmCommand();
  const { status, errorText } = await run(file, [...first, ...command, ...options, ...patience], root);
  if (status === 0) return;
  if (status === "not found") {
    throw new BootstrapError("npm was not found. It comes with Node.js: install it, or put it on the PATH.");
  }
  if (offline.test(errorText)) {
    throw new BootstrapError(
      "the dependencies could not be downloaded. Check the network, the proxy and the registry npm is configured " +
        "with (npm config get registry), and run the command again.",
    );
  }
  if (/EACCES|EPERM|EROFS/.test(errorText)) {
    throw new BootstrapError(`cannot write to ${root}: run it as the user who owns the checkout.`);
  }
  throw new BootstrapError("installing the dependencies failed (npm's own words are above).");
}

/** @returns {[string, ...string[]]} */
function npmCommand() {
  const running = process.env["npm_execpath"];
  if (running !== undefined && path.basename(running) === "npm-cli.js") return [process.execPath, running];
  return [process.platform === "win32" ? "npm.cmd" : "npm"];
}

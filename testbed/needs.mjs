// @ts-check
import { spawn } from "node:child_process";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import path from "node:path";

/** Where Debian puts what is not on every user's PATH. */
const systemFolders = ["/usr/local/sbin", "/usr/sbin", "/sbin"];

/**
 * @param {readonly import("./engine.mjs").Need[]} needs
 * @returns {import("./engine.mjs").Need[]}
 */
export function missingNeeds(needs) {
  const folders = [...(process.env["PATH"] ?? "").split(path.delimiter), ...systemFolders];
  return needs.filter((need) => !folders.some((folder) => isProgram(path.join(folder, need.command))));
}

/**
 * Installs Debian packages when this is root on a Debian; otherwise does nothing. Whether it helped, the caller sees by
 * looking again.
 *
 * @param {readonly string[]} packages
 */
export async function installPackages(packages) {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  const wanted = [...new Set(packages)];
  process.stderr.write(`testbed: installing ${wanted.join(", ")} …\n`);
  const install = ["install", "-y", "-q", "--no-install-recommends", ...aptOptions, ...wanted];
  // The package lists may be missing, or older than what the mirror still serves.
  if ((await apt(install)) === 0) return;
  await apt(["update", "-q", ...aptOptions]);
  await apt(install);
}

const aptOptions = ["-o", "DPkg::Lock::Timeout=300", "-o", "Dpkg::Use-Pty=0"];

/**
 * @param {readonly string[]} args
 * @returns {Promise<number | null>}
 */
function apt(args) {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const child = spawn("/usr/bin/apt-get", args, { env, stdio: ["ignore", 2, 2] });
    child.on("error", reject);
    child.on("close", resolve);
  });
}

/**
 * @param {string} file
 * @returns {boolean}
 */
function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

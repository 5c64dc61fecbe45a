// @ts-check
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { BootstrapError } from "./bootstrap-error.mjs";

/**
 * @typedef {{ version?: string, link?: boolean, optional?: boolean, devOptional?: boolean, peer?: boolean }} LockedPackage
 */

/**
 * Whether node_modules holds what the lock says. A stamp inside node_modules answers in about a millisecond; without
 * one (somebody ran npm by hand) npm's own record of what it installed is compared with the lock, and stamped.
 *
 * @param {string} root
 * @returns {boolean}
 */
export function dependenciesAreCurrent(root) {
  const expected = installedStamp(root);
  if (expected === undefined) return false;
  if (readOrUndefined(stampPath(root)) === expected) return true;
  if (!installedMatchesLock(root)) return false;
  stampDependencies(root);
  return true;
}

/**
 * Records that node_modules matches the lock as both are now.
 *
 * @param {string} root
 */
export function stampDependencies(root) {
  const stamp = installedStamp(root);
  if (stamp === undefined) return;
  try {
    writeFileSync(stampPath(root), stamp);
  } catch {
    // A checkout of somebody else: it works without the stamp, a little slower.
  }
}

/** @param {string} root */
function stampPath(root) {
  return path.join(root, "node_modules", ".talaria-dependencies");
}

/**
 * The lock, the machine it was installed for, and the names that stand in node_modules: a folder that was deleted or
 * added there changes it.
 *
 * @param {string} root
 * @returns {string | undefined} undefined without node_modules
 */
function installedStamp(root) {
  const modules = path.join(root, "node_modules");
  const hash = createHash("sha256");
  hash.update(readLock(root));
  try {
    for (const name of readdirSync(modules).toSorted()) {
      if (name.startsWith(".")) continue;
      hash.update(`\0${name}`);
      if (!name.startsWith("@")) continue;
      for (const scoped of readdirSync(path.join(modules, name)).toSorted())
        hash.update(`\0${name}/${scoped}`);
    }
  } catch {
    return undefined;
  }
  return `${process.platform}-${process.arch} ${hash.digest("hex")}\n`;
}

/**
 * @param {string} root
 * @returns {boolean}
 */
function installedMatchesLock(root) {
  const record = readOrUndefined(path.join(root, "node_modules", ".package-lock.json"));
  if (record === undefined) return false;
  const locked = lockedPackages(readLock(root));
  const installed = lockedPackages(record);
  return Object.entries(locked).every(([where, wanted]) => {
    if (!where.includes("node_modules/")) return true;
    const found = installed[where];
    // Left out on this platform.
    if (found === undefined)
      return wanted.optional === true || wanted.devOptional === true || wanted.peer === true;
    return found.version === wanted.version && existsSync(path.join(root, where));
  });
}

/**
 * @param {string} text
 * @returns {Record<string, LockedPackage>}
 */
function lockedPackages(text) {
  try {
    return JSON.parse(text).packages ?? {};
  } catch {
    return {};
  }
}

/** @param {string} root */
function readLock(root) {
  const lock = readOrUndefined(path.join(root, "package-lock.json"));
  if (lock === undefined) {
    throw new BootstrapError(`package-lock.json is missing in ${root}: get a complete checkout.`);
  }
  return lock;
}

/**
 * @param {string} file
 * @returns {string | undefined}
 */
function readOrUndefined(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

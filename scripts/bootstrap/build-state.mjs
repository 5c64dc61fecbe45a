// @ts-check
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { bundleIsThere } from "./bundle.mjs";

/**
 * The files a build reads, and the size and time of each: `packages/core/src/index.ts` → `"812 1764531.25"`.
 *
 * @typedef {Record<string, string>} BuildInputs
 */

/**
 * Whether every package's dist comes from its sources as they are now. Stats files, reads one; starts nothing.
 *
 * @param {string} root
 * @returns {boolean}
 */
export function buildIsCurrent(root) {
  const built = readBuildStamp(root);
  const inputs = buildInputs(root);
  const names = Object.keys(inputs);
  return (
    names.length === Object.keys(built).length &&
    names.every((name) => inputs[name] === built[name]) &&
    names.every((name) => {
      const output = outputOf(name);
      return output === undefined || existsSync(path.join(root, output));
    }) &&
    packageFolders(root).every((folder) => bundleIsThere(root, folder))
  );
}

/**
 * @param {string} root
 * @returns {string}
 */
export function buildStampPath(root) {
  return path.join(root, "node_modules", ".talaria-build.json");
}

/**
 * The inputs of the last build that succeeded; none without one.
 *
 * @param {string} root
 * @returns {BuildInputs}
 */
export function readBuildStamp(root) {
  try {
    return JSON.parse(readFileSync(buildStampPath(root), "utf8"));
  } catch {
    return {};
  }
}

/**
 * @param {string} root
 * @returns {BuildInputs}
 */
export function buildInputs(root) {
  /** @type {BuildInputs} */
  const inputs = {};
  /** @param {string} name */
  const add = (name) => {
    const stat = statSync(path.join(root, name), { throwIfNoEntry: false });
    if (stat !== undefined) inputs[name] = `${stat.size} ${stat.mtimeMs}`;
  };
  /** @param {string} folder */
  const addSources = (folder) => {
    for (const entry of entriesOf(path.join(root, folder))) {
      if (entry.isDirectory()) addSources(`${folder}/${entry.name}`);
      else if (/\.[cm]?ts$/.test(entry.name)) add(`${folder}/${entry.name}`);
    }
  };
  for (const name of [
    "tsconfig.base.json",
    "tsconfig.build.json",
    "node_modules/typescript/package.json",
    "node_modules/rolldown/package.json",
    "scripts/bootstrap/bundle.mjs",
  ])
    add(name);
  for (const directory of packageFolders(root)) {
    add(`${directory}/package.json`);
    add(`${directory}/tsconfig.json`);
    addSources(`${directory}/src`);
  }
  return inputs;
}

/**
 * @param {string} root
 * @returns {string[]} `packages/core`, …
 */
export function packageFolders(root) {
  return entriesOf(path.join(root, "packages"))
    .filter(
      (entry) => entry.isDirectory() && existsSync(path.join(root, "packages", entry.name, "tsconfig.json")),
    )
    .map((entry) => `packages/${entry.name}`);
}

/**
 * The file a source is compiled to: `packages/core/src/a.ts` → `packages/core/dist/a.js`.
 *
 * @param {string} source
 * @returns {string | undefined} undefined for what is no source, or is not compiled
 */
export function outputOf(source) {
  const match = /^(packages\/[^/]+)\/src\/(.+)\.([cm]?)ts$/.exec(source);
  return match === null || source.includes(".d.") ? undefined : `${match[1]}/dist/${match[2]}.${match[3]}js`;
}

/**
 * @param {string} folder
 * @returns {import("node:fs").Dirent[]}
 */
function entriesOf(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

// @ts-check
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { importsOf } from "./imports.mjs";

/**
 * A TypeScript file of a package.
 *
 * @typedef {object} SourceFile
 * @property {string} name from the package's folder: `src/provider/provider.ts`
 * @property {number} lineCount
 * @property {readonly import("./imports.mjs").Import[]} imports
 */

/**
 * @typedef {object} Package
 * @property {string} folder its name under packages/: `backend-local`
 * @property {any} manifest
 * @property {readonly SourceFile[]} sources under src/
 * @property {readonly SourceFile[]} tests under test/
 * @property {(name: string) => string | undefined} read a file's text, from the package's folder
 */

/**
 * @typedef {object} Repository
 * @property {readonly Package[]} packages
 * @property {readonly string[]} files every file of ours, from the root, with forward slashes
 */

const notOurs = new Set(["node_modules", "dist", "bundle", "coverage", ".git", ".nx"]);

/**
 * @param {string} root
 * @returns {Repository}
 */
export function readRepository(root) {
  const folders = readdirSync(path.join(root, "packages")).filter((folder) =>
    existsSync(path.join(root, "packages", folder, "package.json")),
  );
  return {
    packages: folders.map((folder) => readPackage(path.join(root, "packages", folder), folder)),
    files: filesUnder(root, ""),
  };
}

/**
 * @param {string} directory
 * @param {string} folder
 * @returns {Package}
 */
function readPackage(directory, folder) {
  /** @param {string} name */
  const read = (name) => {
    const file = path.join(directory, name);
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  };
  /** @param {string} name */
  const sourcesIn = (name) =>
    filesUnder(path.join(directory, name), name)
      .filter((file) => /\.[cm]?tsx?$/.test(file))
      .map((file) => readSource(directory, file));
  return {
    folder,
    manifest: JSON.parse(read("package.json") ?? "{}"),
    sources: sourcesIn("src"),
    tests: sourcesIn("test"),
    read,
  };
}

/**
 * @param {string} directory
 * @param {string} name
 * @returns {SourceFile}
 */
function readSource(directory, name) {
  const text = readFileSync(path.join(directory, name), "utf8");
  return { name, lineCount: text.split("\n").length - 1, imports: importsOf(name, text) };
}

/**
 * @param {string} directory
 * @param {string} prefix what the names begin with
 * @returns {string[]}
 */
function filesUnder(directory, prefix) {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => !notOurs.has(entry.name))
    .flatMap((entry) => {
      const name = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
      return entry.isDirectory() ? filesUnder(path.join(directory, entry.name), name) : [name];
    })
    .toSorted();
}

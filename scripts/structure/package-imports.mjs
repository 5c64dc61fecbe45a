// @ts-check
import { builtinModules } from "node:module";
import path from "node:path";

/**
 * The packages from the bottom up; a package imports only from lower rows, so no backend imports another one and core
 * imports none of ours.
 *
 * @type {readonly RegExp[]}
 */
const rows = [/^core$/, /^conformance$/, /^backend-/, /^cli$/];

/**
 * @param {import("./repository.mjs").Repository} repository
 * @returns {string[]}
 */
export function packageImports({ packages }) {
  const byName = new Map(packages.map((entry) => [entry.manifest.name, entry]));
  return packages.flatMap((importer) => {
    if (rowOf(importer.folder) === -1) {
      return [`packages/${importer.folder}: stands in no row of scripts/structure/package-imports.mjs`];
    }
    const { dependencies = {}, peerDependencies = {}, devDependencies = {} } = importer.manifest;
    const atRunTime = { ...dependencies, ...peerDependencies };
    /**
     * @param {readonly import("./repository.mjs").SourceFile[]} files
     * @param {Record<string, string> | undefined} allowed the packages the manifest lets these files import
     */
    const check = (files, allowed) =>
      files.flatMap((file) =>
        file.imports.flatMap(({ specifier }) => {
          const problem = problemOf(importer, file.name, specifier, allowed, byName);
          return problem === undefined ? [] : [`packages/${importer.folder}/${file.name}: ${problem}`];
        }),
      );
    return [
      ...check(importer.sources, atRunTime),
      // The tests' tools (vitest and the like) are the root's.
      ...check(importer.tests, undefined),
      ...Object.keys({ ...atRunTime, ...devDependencies })
        .filter((name) => byName.has(name) && !isBelow(byName.get(name)?.folder, importer.folder))
        .map((name) => `packages/${importer.folder}/package.json: ${name} does not stand below it`),
    ];
  });
}

/**
 * @param {import("./repository.mjs").Package} importer
 * @param {string} file
 * @param {string} specifier
 * @param {Record<string, string> | undefined} allowed
 * @param {ReadonlyMap<string, import("./repository.mjs").Package>} byName
 * @returns {string | undefined}
 */
function problemOf(importer, file, specifier, allowed, byName) {
  if (specifier.startsWith(".")) {
    const target = path.posix.join(path.posix.dirname(file), specifier);
    return target.startsWith("../") ? `"${specifier}" leaves the package` : undefined;
  }
  if (specifier.startsWith("node:")) return undefined;
  if (builtinModules.includes(specifier)) return `write "node:${specifier}"`;

  const name = specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
  if (allowed !== undefined && allowed[name] === undefined && name !== importer.manifest.name) {
    return `"${name}" is neither dependency nor peer dependency`;
  }
  const imported = byName.get(name);
  if (imported === undefined || imported === importer) return undefined;
  if (!isBelow(imported.folder, importer.folder))
    return `"${specifier}" does not stand below ${importer.folder}`;
  const entry = `.${specifier.slice(name.length)}`;
  return imported.manifest.exports?.[entry] === undefined
    ? `"${specifier}" is no public entry of ${name}`
    : undefined;
}

/**
 * @param {string | undefined} lower
 * @param {string} upper
 * @returns {boolean}
 */
function isBelow(lower, upper) {
  return lower !== undefined && rowOf(lower) < rowOf(upper);
}

/**
 * @param {string} folder
 * @returns {number}
 */
function rowOf(folder) {
  return rows.findIndex((row) => row.test(folder));
}

// @ts-check
import { readdirSync } from "node:fs";
import path from "node:path";

const notOurs = new Set(["node_modules", "dist", "coverage"]);

/**
 * Every page of the project, from the root.
 *
 * @param {string} root
 * @returns {readonly string[]}
 */
export function allPages(root) {
  return pagesUnder(root, "").filter((file) => !file.endsWith("CHANGELOG.md"));
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
function pagesUnder(root, folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !name.startsWith(".") && !notOurs.has(name))
    .flatMap((entry) => {
      const name = path.posix.join(folder, entry.name);
      if (entry.isDirectory()) return pagesUnder(root, name);
      return name.endsWith(".md") ? [name] : [];
    })
    .toSorted();
}

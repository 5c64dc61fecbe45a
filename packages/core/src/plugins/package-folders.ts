import { readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** All `node_modules` folders that a module in `directory` would be looked for in, nearest first. */
export function nodeModulesAbove(directory: string): readonly string[] {
  const folders: string[] = [];
  for (let current = resolve(directory); ; current = dirname(current)) {
    if (basename(current) !== "node_modules") folders.push(join(current, "node_modules"));
    if (dirname(current) === current) return folders;
  }
}

/** A package's place in a `node_modules` folder. */
export interface PackageFolder {
  /** Its name there, with the scope. */
  readonly name: string;
  readonly folder: string;
}

/** All packages that stand in a `node_modules` folder; none when it is not there. */
export function packagesIn(nodeModules: string): readonly PackageFolder[] {
  return namesIn(nodeModules).flatMap((name) => {
    if (name.startsWith(".")) return [];
    const folder = join(nodeModules, name);
    if (!name.startsWith("@")) return [{ name, folder }];
    return namesIn(folder)
      .filter((inner) => !inner.startsWith("."))
      .map((inner) => ({ name: `${name}/${inner}`, folder: join(folder, inner) }));
  });
}

/** True for the name of a package, and so for a place below `node_modules` and never outside of it. */
export function isPackageName(id: string): boolean {
  return /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/.test(id) && id.length <= 214;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

// @ts-check
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../../scripts/bootstrap/bootstrap.mjs";

/**
 * Packages that some backend depends on: clients and SDKs, which nobody may pay for who does not use that backend.
 *
 * @returns {Set<string>}
 */
export function vendorPackages() {
  const folder = path.join(root, "packages");
  const names = readdirSync(folder)
    .filter((name) => name.startsWith("backend-"))
    .map((name) => path.join(folder, name, "package.json"))
    .filter((file) => existsSync(file))
    .flatMap((file) => {
      const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(readFileSync(file, "utf8"));
      return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
    });
  return new Set(names.filter((name) => !name.startsWith("@talaria/")));
}

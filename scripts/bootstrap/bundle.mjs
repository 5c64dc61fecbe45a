// @ts-check
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { BootstrapError } from "./bootstrap-error.mjs";

/**
 * Joins the modules of a package into few files, where its manifest exports `./bundle/index.js`: Node takes about a third
 * of a millisecond to find and load each module, and a short command needs two hundred of core's. What the sources import
 * only when it is needed stays in files of its own. Types stay in dist.
 *
 * @param {string} root
 * @param {string} folder `packages/core`
 */
export async function bundle(root, folder) {
  if (!isBundled(root, folder)) return;
  const { rolldown } = await import("rolldown");
  const output = path.join(root, folder, "bundle");
  try {
    const modules = await rolldown({
      cwd: path.join(root, folder),
      input: { index: path.join(root, folder, "src", "index.ts") },
      // Everything but the package's own files: dependencies and Node's modules.
      external: (id) => !id.startsWith(".") && !path.isAbsolute(id),
      platform: "node",
      resolve: { extensionAlias: { ".js": [".ts", ".js"] } },
      logLevel: "warn",
    });
    // The same names each time, and nothing taken away before: a program that runs meanwhile still finds what it has
    // not imported yet.
    const written = await modules.write({
      dir: output,
      format: "esm",
      sourcemap: true,
      entryFileNames: "[name].js",
      chunkFileNames: "[name].js",
      minifyInternalExports: false,
    });
    await modules.close();
    const wanted = new Set(written.output.map(({ fileName }) => fileName));
    for (const file of readdirSync(output)) if (!wanted.has(file)) rmSync(path.join(output, file));
  } catch (error) {
    throw new BootstrapError(
      `${folder} could not be bundled: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {boolean}
 */
function isBundled(root, folder) {
  const manifest = JSON.parse(readFileSync(path.join(root, folder, "package.json"), "utf8"));
  return manifest.exports?.["."]?.default === "./bundle/index.js";
}

/**
 * Whether the bundle is there, of a package that has one.
 *
 * @param {string} root
 * @param {string} folder
 * @returns {boolean}
 */
export function bundleIsThere(root, folder) {
  return !isBundled(root, folder) || existsSync(path.join(root, folder, "bundle", "index.js"));
}

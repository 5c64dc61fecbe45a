// @ts-check
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { BootstrapError } from "./bootstrap-error.mjs";
import { buildInputs, buildStampPath, outputOf, packageFolders, readBuildStamp } from "./build-state.mjs";
import { bundle } from "./bundle.mjs";
import { run } from "./run.mjs";

/**
 * Compiles what is stale, and leaves every dist holding exactly what its sources say.
 *
 * @param {string} root
 */
export async function build(root) {
  process.stderr.write("talaria: building …\n");
  // Taken before the compiler reads the files: what changes meanwhile counts as not built.
  const inputs = buildInputs(root);
  for (const folder of packageFolders(root)) {
    removeOrphans(root, folder, inputs);
    if (compilerWouldMiss(root, folder, inputs))
      rmSync(path.join(root, folder, "tsconfig.tsbuildinfo"), { force: true });
  }
  const compiler = path.join(root, "node_modules", "typescript", "bin", "tsc");
  const { status } = await run(process.execPath, [compiler, "-b", "tsconfig.build.json"], root);
  if (status !== 0) throw new BootstrapError("the build failed (the compiler's words are above).");
  for (const folder of packageFolders(root)) {
    await bundle(root, folder);
    makeBinsExecutable(root, folder);
  }
  writeFileSync(buildStampPath(root), `${JSON.stringify(inputs)}\n`);
}

/**
 * `tsc -b` goes by its build info and file times: it does not see that dist was deleted, nor that a file was replaced
 * by an older one.
 *
 * @param {string} root
 * @param {string} folder
 * @param {import("./build-state.mjs").BuildInputs} inputs
 * @returns {boolean}
 */
function compilerWouldMiss(root, folder, inputs) {
  const info = statSync(path.join(root, folder, "tsconfig.tsbuildinfo"), { throwIfNoEntry: false });
  if (info === undefined) return false;
  const built = readBuildStamp(root);
  return Object.keys(inputs)
    .filter((name) => name.startsWith(`${folder}/`))
    .some((name) => {
      const output = outputOf(name);
      if (output !== undefined && !existsSync(path.join(root, output))) return true;
      return inputs[name] !== built[name] && Number(inputs[name]?.split(" ")[1]) <= info.mtimeMs;
    });
}

/**
 * Removes the outputs of sources that are gone.
 *
 * @param {string} root
 * @param {string} folder
 * @param {import("./build-state.mjs").BuildInputs} inputs
 */
function removeOrphans(root, folder, inputs) {
  const dist = path.join(root, folder, "dist");
  if (!existsSync(dist)) return;
  const wanted = new Set(
    Object.keys(inputs)
      .map((name) => outputOf(name))
      .filter((name) => name !== undefined)
      .map((name) => name.replace(/\.[cm]?js$/, "")),
  );
  for (const file of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    const stem = `${folder}/dist/${file.split(path.sep).join("/")}`.replace(
      /(\.d)?\.[cm]?[jt]s(\.map)?$/,
      "",
    );
    const full = path.join(dist, file);
    if (statSync(full).isFile() && !wanted.has(stem)) rmSync(full);
  }
}

/**
 * npm marks a bin executable when it links it, which for a fresh clone is before the bin is built.
 *
 * @param {string} root
 * @param {string} folder
 */
function makeBinsExecutable(root, folder) {
  const manifest = JSON.parse(readFileSync(path.join(root, folder, "package.json"), "utf8"));
  for (const bin of Object.values(manifest.bin ?? {})) {
    const file = path.join(root, folder, String(bin));
    if (existsSync(file)) chmodSync(file, 0o755);
  }
}

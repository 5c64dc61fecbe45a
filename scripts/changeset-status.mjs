// @ts-check
// `changeset status`, made strict: every package that changed since its version was set is named by a changeset.
//
// Changesets alone compares with a base branch, which says nothing on main itself, and is content with any one
// changeset for any number of changed packages.
import "./node-version.mjs";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { packageFolders } from "./bootstrap/build-state.mjs";
import { root } from "./bootstrap/bootstrap.mjs";

if (git("rev-parse", "--is-shallow-repository") === "true") {
  fail("this clone is shallow: it does not hold the history to compare with. Run: git fetch --unshallow");
}

const announced = announcedPackages();
const packages = packageFolders(root).map((folder) => {
  const name = JSON.parse(readFileSync(path.join(root, folder, "package.json"), "utf8")).name;
  const versionSetBy = git("log", "-1", "--format=%H", '-G^  "version":', "--", `${folder}/package.json`);
  const changed = git("diff", "--name-only", versionSetBy, "--", folder).split("\n").filter(isReleased);
  return { name, versionSetBy, changed };
});

for (const { name, changed } of packages) {
  const state = changed.length === 0 ? "unchanged" : announced.has(name) ? "announced" : "NOT ANNOUNCED";
  process.stdout.write(`${state.padEnd(13)}  ${name}  (${changed.length} files since its version was set)\n`);
}
const missing = packages.filter(({ name, changed }) => changed.length > 0 && !announced.has(name));
if (missing.length > 0) {
  fail(`no changeset names ${missing.map(({ name }) => name).join(", ")}. Run: npx changeset add`);
}

const lastRelease = git(
  "rev-list",
  "--no-walk",
  "--date-order",
  "-1",
  ...packages.map((entry) => entry.versionSetBy),
);
const status = spawnSync("npx", ["changeset", "status", `--since=${lastRelease}`], {
  cwd: root,
  stdio: "inherit",
});
process.exitCode = status.status ?? 1;

/**
 * The packages the waiting changesets name.
 *
 * @returns {Set<string>}
 */
function announcedPackages() {
  const folder = path.join(root, ".changeset");
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .map((name) => readFileSync(path.join(folder, name), "utf8"));
  const frontMatters = texts.map((text) => /^---\n([\s\S]*?)\n---/.exec(text)?.[1] ?? "");
  return new Set(
    frontMatters.flatMap((text) =>
      text.split("\n").flatMap((line) => /^["']?([^"':]+)["']?\s*:/.exec(line)?.[1] ?? []),
    ),
  );
}

/**
 * Whether a user of the package could notice the file.
 *
 * @param {string} file
 * @returns {boolean}
 */
function isReleased(file) {
  return /^packages\/[^/]+\/(src\/|README\.md$|package\.json$)/.test(file);
}

/**
 * @param {...string} args
 * @returns {string}
 */
function git(...args) {
  const result = spawnSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  if (result.status !== 0) fail(`git ${args[0]} failed: ${result.error?.message ?? result.stderr.trim()}`);
  return result.stdout.trim();
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  process.stderr.write(`changesets: ${message}\n`);
  process.exit(1);
}

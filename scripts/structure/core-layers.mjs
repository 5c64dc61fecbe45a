// @ts-check
import path from "node:path";

/**
 * Core's layers from the bottom up, each with the folders and single files of src/ that make it. A file imports from
 * its own layer and from lower ones. What stands directly in src/ are the public entries, which only re-export.
 *
 * @type {readonly { name: string, parts: readonly string[] }[]}
 */
const layers = [
  {
    name: "provider",
    parts: [
      "errors",
      "config",
      "provider",
      "registry",
      "plugins",
      "workdir/paths",
      "environment/capabilities",
    ],
  },
  { name: "environment", parts: ["environment", "shell", "workdir", "files", "streams", "secrets"] },
  { name: "session", parts: ["session", "policy", "jobs", "audit", "tracing", "cache", "description"] },
];

/**
 * Types a lower layer may name although they stand higher: a provider declares that it creates environments. Such an
 * import is erased, so nothing of the upper layer is loaded by it.
 */
const declaredUpwards = { from: "provider", to: "environment" };

/**
 * @param {import("./repository.mjs").Repository} repository
 * @returns {string[]}
 */
export function coreLayers({ packages }) {
  const core = packages.find(({ folder }) => folder === "core");
  if (core === undefined) return ["packages/core is missing"];
  return core.sources.flatMap((file) => {
    if (!file.name.slice("src/".length).includes("/")) return [];
    const from = layerOf(file.name);
    if (from === -1) return [`${file.name}: stands in no layer of scripts/structure/core-layers.mjs`];
    return file.imports
      .filter(({ specifier }) => specifier.startsWith("."))
      .flatMap(({ specifier, isTypeOnly }) => {
        const target = path.posix.join(path.posix.dirname(file.name), specifier);
        const to = layerOf(target);
        if (to === -1) return [`packages/core/${file.name}: "${specifier}" stands in no layer`];
        const isDeclaration =
          isTypeOnly &&
          layers[from]?.name === declaredUpwards.from &&
          layers[to]?.name === declaredUpwards.to;
        if (to <= from || isDeclaration) return [];
        return [
          `packages/core/${file.name} (${layers[from]?.name}): "${specifier}" points up, to ${layers[to]?.name}`,
        ];
      });
  });
}

/**
 * @param {string} file `src/workdir/paths.ts`, or the same as imported, with `.js`
 * @returns {number} -1 for what is in none
 */
function layerOf(file) {
  const stem = file.replace(/^src\//, "").replace(/\.[cm]?[jt]s$/, "");
  return layers.findIndex(({ parts }) =>
    parts.some((part) => stem === part || (stem.startsWith(`${part}/`) && !isOwn(stem, part))),
  );
}

/**
 * Whether a file inside `part` is listed by itself, in another layer.
 *
 * @param {string} stem
 * @param {string} part
 * @returns {boolean}
 */
function isOwn(stem, part) {
  return layers.some(({ parts }) => parts.includes(stem) && !parts.includes(part));
}

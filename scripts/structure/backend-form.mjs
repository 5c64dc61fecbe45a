// @ts-check

/**
 * What makes a package a backend: found by its keyword, known from its manifest without running code, bound to the one
 * core its user has, held to the contract by the suite.
 *
 * @param {import("./repository.mjs").Repository} repository
 * @returns {string[]}
 */
export function backendForm({ packages }) {
  return packages
    .filter(({ folder }) => folder.startsWith("backend-"))
    .flatMap((entry) => problemsOf(entry).map((problem) => `packages/${entry.folder}: ${problem}`));
}

/**
 * @param {import("./repository.mjs").Package} backend
 * @returns {string[]}
 */
function problemsOf({ folder, manifest, tests }) {
  const name = folder.slice("backend-".length);
  const runsSuite = tests.some(
    (test) =>
      test.name.endsWith("conformance.test.ts") &&
      test.imports.some(({ specifier }) => specifier === "@talaria/conformance"),
  );
  /** @type {readonly [boolean, string][]} */
  const rules = [
    [manifest.name === `@talaria/${folder}`, `is not named @talaria/${folder}`],
    [manifest.keywords?.includes("talaria-backend") === true, "no keyword talaria-backend"],
    [
      manifest.talaria?.kind === "backend" && manifest.talaria.name === name && manifest.talaria.api === 1,
      `no manifest field "talaria": {"kind":"backend","name":"${name}","api":1}`,
    ],
    [manifest.peerDependencies?.["@talaria/core"] !== undefined, "core is no peer dependency"],
    [
      manifest.dependencies?.["@talaria/core"] === undefined,
      "core is a dependency: two cores, two registries",
    ],
    [runsSuite, "no test/conformance.test.ts that runs @talaria/conformance"],
  ];
  return rules.filter(([isHeld]) => !isHeld).map(([, problem]) => problem);
}

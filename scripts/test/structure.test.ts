import { expect, test } from "vitest";
import { backendForm } from "../structure/backend-form.mjs";
import { coreLayers } from "../structure/core-layers.mjs";
import { fileNames } from "../structure/file-names.mjs";
import { fileSizes } from "../structure/file-sizes.mjs";
import { importsOf } from "../structure/imports.mjs";
import { packageForm } from "../structure/package-form.mjs";
import { packageImports } from "../structure/package-imports.mjs";

type Sources = Record<string, string>;

/** A package from the texts of its files. */
function packageOf(folder: string, manifest: object, sources: Sources, tests: Sources = {}) {
  const read = (files: Sources) =>
    Object.entries(files).map(([name, text]) => ({
      name,
      lineCount: text.split("\n").length - 1,
      imports: importsOf(name, text),
    }));
  return {
    folder,
    manifest: { name: `@talaria/${folder}`, exports: { ".": "./dist/index.js" }, ...manifest },
    sources: read(sources),
    tests: read(tests),
    read: (name: string) => sources[name],
  };
}

const core = packageOf("core", {}, {});
const peerOnCore = { peerDependencies: { "@talaria/core": "^1.0.0" } };

function importProblems(...packages: ReturnType<typeof packageOf>[]): string[] {
  return packageImports({ packages, files: [] });
}

function layerProblems(file: string, text: string): string[] {
  return coreLayers({ packages: [packageOf("core", {}, { [file]: text })], files: [] });
}

test("imports are found in every form, and only `import type` counts as erased", () => {
  const text = [
    'import type { A } from "./a.js";',
    'import { type B } from "./b.js";',
    'export * from "./c.js";',
    'export type { D } from "./d.js";',
    'import "./e.js";',
    'const f = await import("./f.js");',
    "const g = \"import x from './no.js'\";",
    '// import h from "./no.js"',
  ].join("\n");
  const found = importsOf("src/x.ts", text).map(({ specifier, isTypeOnly }) => [specifier, isTypeOnly]);
  expect(new Map(found as [string, boolean][])).toEqual(
    new Map([
      ["./a.js", true],
      ["./b.js", false],
      ["./c.js", false],
      ["./d.js", true],
      ["./e.js", false],
      ["./f.js", false],
    ]),
  );
});

test("a backend imports core by its public entry", () => {
  const backend = packageOf("backend-a", peerOnCore, {
    "src/index.ts": 'import { x } from "@talaria/core";',
  });
  expect(importProblems(core, backend)).toEqual([]);
});

test("a deep import of core is refused", () => {
  const backend = packageOf("backend-a", peerOnCore, { "src/index.ts": 'import "@talaria/core/src/x.js";' });
  expect(importProblems(core, backend)).toEqual([
    'packages/backend-a/src/index.ts: "@talaria/core/src/x.js" is no public entry of @talaria/core',
  ]);
});

test("a relative import that leaves the package is refused", () => {
  const backend = packageOf("backend-a", peerOnCore, {
    "src/a/b.ts": 'import "../../../core/src/index.js";',
  });
  expect(importProblems(core, backend)).toEqual([
    'packages/backend-a/src/a/b.ts: "../../../core/src/index.js" leaves the package',
  ]);
});

test("no backend imports another one, not even in a test", () => {
  const other = packageOf("backend-b", peerOnCore, {});
  const backend = packageOf(
    "backend-a",
    peerOnCore,
    {},
    { "test/a.test.ts": 'import "@talaria/backend-b";' },
  );
  expect(importProblems(core, other, backend)).toEqual([
    'packages/backend-a/test/a.test.ts: "@talaria/backend-b" does not stand below backend-a',
  ]);
});

test("core imports no backend", () => {
  const backend = packageOf("backend-a", peerOnCore, {});
  const upside = packageOf(
    "core",
    { dependencies: { "@talaria/backend-a": "1" } },
    { "src/index.ts": 'import "@talaria/backend-a";' },
  );
  expect(importProblems(upside, backend)).toHaveLength(2);
});

test("sources import only what the manifest brings along", () => {
  const backend = packageOf("backend-a", {}, { "src/index.ts": 'import "left-pad";\nimport "node:fs";' });
  expect(importProblems(core, backend)).toEqual([
    'packages/backend-a/src/index.ts: "left-pad" is neither dependency nor peer dependency',
  ]);
});

test("inside core, imports point down or sideways", () => {
  expect(layerProblems("src/session/a.ts", 'import "../environment/b.js";\nimport "./c.js";')).toEqual([]);
  expect(layerProblems("src/environment/a.ts", 'import "../session/b.js";')).toEqual([
    'packages/core/src/environment/a.ts (environment): "../session/b.js" points up, to session',
  ]);
});

test("the provider layer may name the environment's types, and load nothing of it", () => {
  expect(layerProblems("src/provider/a.ts", 'import type { E } from "../environment/e.js";')).toEqual([]);
  expect(layerProblems("src/provider/a.ts", 'import { E } from "../environment/e.js";')).toHaveLength(1);
  expect(layerProblems("src/provider/a.ts", 'import type { S } from "../session/s.js";')).toHaveLength(1);
});

test("a single file can stand in a lower layer than its folder", () => {
  expect(layerProblems("src/provider/a.ts", 'import "../workdir/paths.js";')).toEqual([]);
  expect(layerProblems("src/provider/a.ts", 'import "../workdir/resolve-start.js";')).toHaveLength(1);
  expect(layerProblems("src/workdir/paths.ts", 'import "../workdir/resolve-start.js";')).toHaveLength(1);
});

test("a folder nobody placed in a layer is named", () => {
  expect(layerProblems("src/new/a.ts", "export {};")).toEqual([
    "src/new/a.ts: stands in no layer of scripts/structure/core-layers.mjs",
  ]);
});

test("names that say nothing and names in other cases are refused", () => {
  const files = [
    "packages/a/src/utils.ts",
    "packages/a/src/someThing.ts",
    "packages/a/src/some-thing.test.ts",
  ];
  expect(fileNames({ packages: [], files: [...files, "packages/a/README.md"] })).toEqual([
    "packages/a/src/utils.ts: name it after the one idea it holds",
    "packages/a/src/someThing.ts: not kebab-case",
  ]);
});

test("a source of 301 lines is too long, one of 300 is not", () => {
  const long = packageOf("a", {}, { "src/long.ts": "\n".repeat(301), "src/fits.ts": "\n".repeat(300) });
  expect(fileSizes({ packages: [long], files: [] })).toEqual([
    "packages/a/src/long.ts: 301 lines; one idea a file",
  ]);
});

test("a README has every section, filled, in order", () => {
  const sections = ["Install", "Example", "Options", "Limits", "Licence"];
  const readme = (names: string[]) =>
    `# A\n\n> What for.\n\n${names.map((name) => `## ${name}\n\ntext\n`).join("\n")}`;
  const problems = (text: string) =>
    packageForm({
      packages: [{ ...core, read: (name: string) => (name === "README.md" ? text : "there") }],
      files: [],
    });
  expect(problems(readme(sections))).toEqual([]);
  expect(problems(readme(sections).replace("> What for.\n", ""))).toHaveLength(1);
  expect(problems(readme(sections.toReversed()))).toHaveLength(1);
  expect(problems(readme(sections).replace("## Limits\n\ntext", "## Limits"))).toEqual([
    'packages/core/README.md: section "Limits" is empty',
  ]);
});

test("a backend declares itself and runs the suite", () => {
  const manifest = {
    ...peerOnCore,
    keywords: ["talaria-backend"],
    talaria: { kind: "backend", name: "a", api: 1 },
  };
  const suite = { "test/conformance.test.ts": 'import { x } from "@talaria/conformance";' };
  expect(backendForm({ packages: [packageOf("backend-a", manifest, {}, suite)], files: [] })).toEqual([]);
  expect(backendForm({ packages: [packageOf("backend-b", manifest, {}, suite)], files: [] })).toHaveLength(1);
  expect(backendForm({ packages: [packageOf("backend-a", {}, {})], files: [] })).toHaveLength(4);
});

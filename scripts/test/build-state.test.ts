import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { buildInputs, buildIsCurrent, buildStampPath, outputOf } from "../bootstrap/build-state.mjs";

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "talaria build-"));
  write("node_modules/typescript/package.json", "{}");
  write("packages/a/tsconfig.json", "{}");
  write("packages/a/package.json", "{}");
  write("packages/a/src/index.ts", "export {};");
  write("packages/a/dist/index.js", "");
  writeFileSync(buildStampPath(root), JSON.stringify(buildInputs(root)));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function write(name: string, text: string): void {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

test("a build whose inputs did not change is current", () => {
  expect(buildIsCurrent(root)).toBe(true);
});

test("a source that got a new time is stale, an older one too", () => {
  utimesSync(path.join(root, "packages/a/src/index.ts"), 1, 1);
  expect(buildIsCurrent(root)).toBe(false);
});

test("a new source, a removed source and a new package are stale", () => {
  write("packages/a/src/more.ts", "export {};");
  expect(buildIsCurrent(root)).toBe(false);
  rmSync(path.join(root, "packages/a/src/more.ts"));
  expect(buildIsCurrent(root)).toBe(true);
  rmSync(path.join(root, "packages/a/src/index.ts"));
  expect(buildIsCurrent(root)).toBe(false);
});

test("an output somebody deleted is stale", () => {
  rmSync(path.join(root, "packages/a/dist"), { recursive: true });
  expect(buildIsCurrent(root)).toBe(false);
});

test("a bundle somebody deleted is stale, where the manifest exports one", () => {
  const bundle = path.join(root, "packages/a/bundle");
  write("packages/a/package.json", '{"exports":{".":{"default":"./bundle/index.js"}}}');
  write("packages/a/bundle/index.js", "");
  writeFileSync(buildStampPath(root), JSON.stringify(buildInputs(root)));
  expect(buildIsCurrent(root)).toBe(true);
  rmSync(bundle, { recursive: true });
  expect(buildIsCurrent(root)).toBe(false);
});

test("a compiler that changed is stale", () => {
  write("node_modules/typescript/package.json", '{"version":"9"}');
  expect(buildIsCurrent(root)).toBe(false);
});

test("only sources have an output", () => {
  expect(outputOf("packages/a/src/b/c.ts")).toBe("packages/a/dist/b/c.js");
  expect(outputOf("packages/a/src/b.d.ts")).toBeUndefined();
  expect(outputOf("packages/a/package.json")).toBeUndefined();
});

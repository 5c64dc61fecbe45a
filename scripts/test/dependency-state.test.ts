import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { dependenciesAreCurrent } from "../bootstrap/dependency-state.mjs";

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "talaria dependencies-"));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function lock(packages: Record<string, object>): void {
  writeFileSync(path.join(root, "package-lock.json"), JSON.stringify({ packages }));
}

/** What npm leaves behind. */
function install(packages: Record<string, object>): void {
  for (const name of Object.keys(packages)) mkdirSync(path.join(root, name), { recursive: true });
  writeFileSync(path.join(root, "node_modules/.package-lock.json"), JSON.stringify({ packages }));
}

const one = { "node_modules/one": { version: "1.0.0" } };

test("without node_modules there is something to install", () => {
  lock(one);
  expect(dependenciesAreCurrent(root)).toBe(false);
});

test("what npm installed by hand from this lock is accepted, now and the next time", () => {
  lock({ "": {}, ...one });
  install(one);
  expect(dependenciesAreCurrent(root)).toBe(true);
  rmSync(path.join(root, "node_modules/.package-lock.json"));
  expect(dependenciesAreCurrent(root)).toBe(true);
});

test("another version, and a package that is missing, are not", () => {
  lock({ "node_modules/one": { version: "1.0.1" } });
  install(one);
  expect(dependenciesAreCurrent(root)).toBe(false);
  lock({ ...one, "node_modules/two": { version: "1.0.0" } });
  expect(dependenciesAreCurrent(root)).toBe(false);
});

test("a package left out on this platform is not missed", () => {
  lock({ ...one, "node_modules/other-platform": { version: "1.0.0", optional: true } });
  install(one);
  expect(dependenciesAreCurrent(root)).toBe(true);
});

test("a folder deleted from node_modules is noticed", () => {
  lock(one);
  install(one);
  expect(dependenciesAreCurrent(root)).toBe(true);
  rmSync(path.join(root, "node_modules/one"), { recursive: true });
  expect(dependenciesAreCurrent(root)).toBe(false);
});

test("a checkout without a lock is an error that says so", () => {
  expect(() => dependenciesAreCurrent(root)).toThrow("package-lock.json is missing");
});

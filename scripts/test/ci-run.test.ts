import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, test } from "vitest";

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Runs a copy of .ci/run in a checkout whose npm is the shell text given. */
function ciRun(npm: string): { status: number | null; lastLine: string | undefined } {
  const folder = mkdtempSync(path.join(tmpdir(), "talaria ci-"));
  folders.push(folder);
  mkdirSync(path.join(folder, ".ci"));
  mkdirSync(path.join(folder, "bin"));
  copyFileSync(path.join(import.meta.dirname, "../../.ci/run"), path.join(folder, ".ci/run"));
  writeFileSync(path.join(folder, "bin/npm"), `#!/bin/sh\n${npm}\n`);
  chmodSync(path.join(folder, "bin/npm"), 0o755);
  const { status, stdout } = spawnSync(path.join(folder, ".ci/run"), {
    encoding: "utf8",
    env: { ...process.env, PATH: `${path.join(folder, "bin")}:${process.env["PATH"]}` },
  });
  return { status, lastLine: stdout.trimEnd().split("\n").at(-1) };
}

const green = 'case "$1" in test) echo "40 passed, 0 failed";; *) echo "9 passed, 0 failed";; esac';

test("tests and checks are added up in the last line", () => {
  expect(ciRun(green)).toEqual({ status: 0, lastLine: "49 passed, 0 failed" });
});

test("a failure in the tests does not keep the checks from running, and fails the whole", () => {
  const npm =
    'case "$1" in test) echo "39 passed, 1 failed"; exit 1;; *) echo "8 passed, 1 failed"; exit 1;; esac';
  expect(ciRun(npm)).toEqual({ status: 1, lastLine: "47 passed, 2 failed" });
});

test("a run that dies before it counted is a failure", () => {
  const npm = 'case "$1" in test) echo "boom"; exit 1;; *) echo "9 passed, 0 failed";; esac';
  expect(ciRun(npm)).toEqual({ status: 1, lastLine: "9 passed, 1 failed" });
});

test("a status that contradicts the line is a failure", () => {
  expect(ciRun(`${green}; exit 3`)).toEqual({ status: 1, lastLine: "49 passed, 2 failed" });
});

test("zero tests are a failure", () => {
  const npm = 'case "$1" in test) echo "0 passed, 0 failed";; *) echo "9 passed, 0 failed";; esac';
  expect(ciRun(npm)).toEqual({ status: 1, lastLine: "9 passed, 1 failed" });
});

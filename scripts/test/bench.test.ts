import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { readArguments } from "../../bench/arguments.mjs";
import { groupNames } from "../../bench/group-list.mjs";
import { countVerdicts, verdictOf } from "../../bench/figure.mjs";
import { formatTable } from "../../bench/report/table.mjs";
import { p50, p95 } from "../../bench/statistics.mjs";
import { packageOf } from "../../bench/startup/loaded-modules.mjs";

const program = path.join(import.meta.dirname, "..", "..", "bench", "run.mjs");

function bench(...words: string[]) {
  return spawnSync(process.execPath, [program, ...words], { encoding: "utf8", maxBuffer: 64 << 20 });
}

interface ReportDocument {
  readonly schema: number;
  readonly machine: Record<string, unknown>;
  readonly summary: { readonly targets_met: number; readonly targets_missed: number };
  readonly groups: readonly {
    readonly name: string;
    readonly error: string | null;
    readonly figures: readonly {
      readonly id: string;
      readonly value: number | null;
      readonly target: object | null;
      readonly verdict: string;
    }[];
  }[];
}

test("a quick run measures every group and prints one JSON document, whether targets are met or not", () => {
  const { status, stdout, stderr } = bench("local", "--quick", "--json");
  expect(status, stderr).toBe(0);
  const report = JSON.parse(stdout) as ReportDocument;
  expect(report.schema).toBe(1);
  expect(report.groups.map(({ name, error }) => ({ name, error }))).toEqual(
    groupNames.map((name) => ({
      name,
      error: null,
    })),
  );
  const figures = report.groups.flatMap((group) => group.figures);
  expect(figures.filter(({ value }) => value === null)).toEqual([]);
  expect(new Set(figures.map(({ id }) => id)).size).toBe(figures.length);
  const judged = figures.filter(({ verdict }) => verdict !== "none");
  expect(judged.length).toBe(report.summary.targets_met + report.summary.targets_missed);
  expect(judged.every(({ target }) => target !== null)).toBe(true);
  expect(report.machine).toMatchObject({ node: process.version, load_average_at_end: expect.any(Number) });
}, 180_000);

test("one group can be run alone, and its report for people names every target", () => {
  const { status, stdout, stderr } = bench("--only", "parallel", "--quick");
  expect(status, stderr).toBe(0);
  expect(stdout).toMatch(/PARALLEL[\s\S]*sleep 0\.2[\s\S]*≤ 800\.0 ms/);
  expect(stdout).not.toContain("COMMANDS");
}, 60_000);

test.each([
  [["docker"], /nothing to compare "docker" with yet; known: local/],
  [["local", "--only", "speed"], /there is no group "speed"/],
  [["local", "--fast"], /--fast/],
  [["local", "--quick", "--check"], /leave one of them out/],
])("a command line that makes no sense is refused with the usage: %j", (words, problem) => {
  const { status, stdout, stderr } = bench(...words);
  expect(status).toBe(2);
  expect(stdout).toBe("");
  expect(stderr).toMatch(problem);
  expect(stderr).toContain("Groups: commands,");
});

test("without words everything is measured on local, for people", () => {
  expect(readArguments([])).toMatchObject({ backend: "local", only: [], isJson: false, isChecked: false });
});

test("a figure meets its target at the very limit, and one that could not be measured misses any", () => {
  const figure = { id: "x", label: "x", unit: "ratio", n: 1 };
  expect(verdictOf({ ...figure, value: 0.6, target: { atMost: 0.6 } })).toBe("met");
  expect(verdictOf({ ...figure, value: 0.61, target: { atMost: 0.6 } })).toBe("missed");
  expect(verdictOf({ ...figure, value: 0.8, target: { atLeast: 0.8 } })).toBe("met");
  expect(verdictOf({ ...figure, value: 1, target: { equals: 0 } })).toBe("missed");
  for (const target of [{ atMost: 1 }, { atLeast: 1 }, { equals: 1 }])
    expect(verdictOf({ ...figure, value: Number.NaN, target })).toBe("missed");
  const figures = [
    { ...figure, value: 2, target: null },
    { ...figure, value: 2, target: { atMost: 1 } },
  ];
  expect(countVerdicts([{ figures }])).toEqual({ met: 0, missed: 1, without: 1 });
});

test("quantiles are samples that were measured", () => {
  const samples = Array.from({ length: 100 }, (_, at) => 100 - at);
  expect(p50(samples)).toBe(50);
  expect(p95(samples)).toBe(95);
  expect(p50([7])).toBe(7);
  expect(p95([3, 1])).toBe(3);
  expect(p50([])).toBeNaN();
});

test("a table's columns are as wide as their widest cell", () => {
  const columns = [{ label: "name" }, { label: "ms", isRight: true }];
  expect(
    formatTable(columns, [
      ["a", "1.25"],
      ["longer", "10.00"],
    ]),
  ).toEqual(["  name       ms", "  ------  -----", "  a        1.25", "  longer  10.00"]);
});

test("a loaded file is counted for the innermost package it lies in", () => {
  const inWorkspace = path.join("/", "x", "packages", "core", "dist", "index.js");
  const scoped = path.join("/", "x", "packages", "cli", "node_modules", "@scope", "sdk", "index.js");
  const nested = path.join("/", "x", "node_modules", "outer", "node_modules", "inner", "index.js");
  expect([inWorkspace, scoped, nested].map(packageOf)).toEqual(["@talaria/core", "@scope/sdk", "inner"]);
});

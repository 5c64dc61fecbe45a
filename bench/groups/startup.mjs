// @ts-check
import path from "node:path";
import { root } from "../../scripts/bootstrap/bootstrap.mjs";
import { inRandomOrder } from "../random-order.mjs";
import { loadedModules, packageOf } from "../startup/loaded-modules.mjs";
import { runNode } from "../startup/run-node.mjs";
import { vendorPackages } from "../startup/vendor-packages.mjs";
import { p50, p95 } from "../statistics.mjs";
import { Timings } from "../timings.mjs";

const bin = path.join(root, "packages", "cli", "dist", "bin.js");

const base = { name: "node -e 0", args: ["-e", "0"] };
const programs = [
  { id: "version", name: "talaria --version", args: [bin, "--version"], atMost: 2.5 },
  { id: "exec", name: "talaria exec -- true", args: [bin, "exec", "--", "true"], atMost: 5 },
];

/**
 * Whole processes of the CLI against an empty Node.
 *
 * @type {import("../group-result.mjs").Measure}
 */
export async function measure({ folder, isQuick }) {
  const env = { ...process.env, TALARIA_HOME: path.join(folder, "talaria-home") };
  const timings = new Timings();
  // The first exec reads the login environment and keeps it.
  for (const { args } of [base, ...programs]) await runNode(args, env);
  for (let round = 0; round < (isQuick ? 1 : 40); round++) {
    for (const { name, args } of inRandomOrder([base, ...programs])) {
      timings.add(name, name, await runNode(args, env));
    }
  }
  /** @param {string} name */
  const of = (name) => timings.of(name, [{ text: name }]);
  const sdks = vendorPackages();
  const loaded = [];
  for (const program of programs) {
    const packages = (await loadedModules(program.args, { folder, env })).map(packageOf);
    loaded.push({ ...program, packages, vendor: packages.filter((name) => sdks.has(name)) });
  }
  return {
    tables: [
      {
        name: "processes",
        title: "Whole processes, in turns",
        columns: [
          { key: "program", label: "program" },
          { key: "p50_ms", label: "p50", unit: "ms", digits: 1 },
          { key: "p95_ms", label: "p95", unit: "ms", digits: 1 },
          { key: "p50_ratio", label: "p50 ×" },
          { key: "n", label: "n", digits: 0 },
        ],
        rows: [base, ...programs].map(({ name }) => ({
          program: name,
          p50_ms: p50(of(name)),
          p95_ms: p95(of(name)),
          p50_ratio: p50(of(name)) / p50(of(base.name)),
          n: of(name).length,
        })),
      },
      {
        name: "modules",
        title: "Files loaded, by package",
        columns: [
          { key: "program", label: "program" },
          { key: "package", label: "package" },
          { key: "files", label: "files", digits: 0 },
        ],
        rows: loaded.flatMap(({ name, packages }) =>
          [...new Set(packages)].toSorted().map((one) => ({
            program: name,
            package: one,
            files: packages.filter((other) => other === one).length,
          })),
        ),
      },
    ],
    figures: [
      ...programs.map(({ id, name, atMost }) => ({
        id: `startup.${id}.p50_ratio`,
        label: `${name} to node -e 0, p50`,
        value: p50(of(name)) / p50(of(base.name)),
        unit: "ratio",
        n: of(name).length,
        target: { atMost },
      })),
      ...loaded.map(({ id, name, vendor }) => ({
        id: `startup.${id}.vendor_modules`,
        label: `${name}: files of a backend's client or SDK loaded`,
        value: vendor.length,
        unit: "count",
        n: 1,
        target: { equals: 0 },
      })),
    ],
    notes: ["The login environment is cached. Node 22.8 and later also keep compiled code between runs."],
  };
}

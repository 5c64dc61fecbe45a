// @ts-check
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { inRandomOrder } from "../random-order.mjs";
import { p50 } from "../statistics.mjs";
import { openBenchSession } from "../talaria-session.mjs";
import { Timings } from "../timings.mjs";

const pattern = "needle";
const label = [{ text: pattern }];

/**
 * A search in a large tree, against ripgrep itself on the same tree and pattern.
 *
 * @type {import("../group-result.mjs").Measure}
 */
export async function measure({ folder, isQuick }) {
  const tree = path.join(folder, "tree");
  const count = isQuick ? 1000 : 20_000;
  const hits = makeTree(tree, count);
  const session = await openBenchSession(folder, { cwd: tree });
  try {
    const timings = new Timings();
    let exact = 0;
    const rounds = isQuick ? 2 : 20;
    const sides = {
      talaria: async () => {
        const { matches, engine } = await session.files.search(pattern, { limit: 1000 });
        if (engine !== "ripgrep") throw new Error("There is no ripgrep: run `npm run testbed -- up local`.");
        if (matches.length === hits) exact += 1;
      },
      ripgrep: () => ripgrep(tree),
    };
    for (const run of Object.values(sides)) await run();
    exact = 0;
    for (let round = 0; round < rounds; round++) {
      for (const [name, run] of inRandomOrder(Object.entries(sides))) {
        const began = performance.now();
        await run();
        timings.add(name, pattern, performance.now() - began);
      }
    }
    const talaria = timings.of("talaria", label);
    const alone = timings.of("ripgrep", label);
    return {
      notes: ["Both sides find the tree in the cache of the system: it was searched once by each before."],
      tables: [
        {
          name: "search",
          title: `${hits} matching lines in ${count} files`,
          columns: [
            { key: "side", label: "side" },
            { key: "p50_ms", label: "p50", unit: "ms", digits: 1 },
            { key: "n", label: "n", digits: 0 },
          ],
          rows: Object.entries({ talaria, ripgrep: alone }).map(([side, samples]) => ({
            side,
            p50_ms: p50(samples),
            n: samples.length,
          })),
        },
      ],
      figures: [
        {
          id: "search.over_ripgrep",
          label: `a search of ${count} files over ripgrep itself, p50`,
          value: p50(talaria) / p50(alone),
          unit: "ratio",
          n: talaria.length,
          target: { atMost: 1.3 },
        },
        {
          id: "search.exact",
          label: "searches that found all lines, times",
          value: exact,
          unit: "count",
          n: rounds,
          target: { equals: rounds },
        },
      ],
    };
  } finally {
    await session.close();
  }
}

/**
 * @param {string} tree
 * @param {number} count
 * @returns {number} files with a match
 */
function makeTree(tree, count) {
  let hits = 0;
  for (let at = 0; at < count; at++) {
    const folder = path.join(tree, `module-${at % 200}`);
    mkdirSync(folder, { recursive: true });
    const isHit = at % 100 === 0;
    if (isHit) hits += 1;
    const text = `export const value${at} = ${at};\n`.repeat(60);
    writeFileSync(path.join(folder, `file-${at}.ts`), isHit ? `${text}// the needle\n` : text);
  }
  return hits;
}

/**
 * @param {string} tree
 * @returns {Promise<void>}
 */
function ripgrep(tree) {
  return new Promise((resolve, reject) => {
    const child = spawn("rg", ["--line-number", pattern, "./"], {
      cwd: tree,
      stdio: ["ignore", "pipe", "inherit"],
    });
    child.stdout.resume();
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`rg ended with ${code}`))));
  });
}

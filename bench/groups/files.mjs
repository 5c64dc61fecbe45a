// @ts-check
import { writeFileSync } from "node:fs";
import path from "node:path";
import { inRandomOrder } from "../random-order.mjs";
import { p50 } from "../statistics.mjs";
import { openBenchSession } from "../talaria-session.mjs";

const fileBytes = 10_000;
/** What is not counted: modules are loaded, abilities and the home are asked for, shells are started. */
const warmUps = 20;

/**
 * Small files through a session's file tools, against the shortest warm command that does as much.
 *
 * @type {import("../group-result.mjs").Measure}
 */
export async function measure({ folder, isQuick }) {
  const session = await openBenchSession(folder, { cwd: folder });
  const text = textOf(fileBytes);
  writeFileSync(path.join(folder, "read.txt"), text);
  const sides = {
    read: async () => {
      const { totalBytes } = await session.files.read("read.txt");
      if (totalBytes !== fileBytes) throw new Error(`${totalBytes} bytes were read`);
    },
    cat: async () => {
      const { outputBytes } = await session.execute("cat read.txt");
      if (outputBytes.length !== fileBytes) throw new Error(`${outputBytes.length} bytes were printed`);
    },
    write: async () => {
      const { bytes } = await session.files.write("written.txt", text);
      if (bytes !== fileBytes) throw new Error(`${bytes} bytes were written`);
    },
  };
  try {
    return resultOf(await inTurns(sides, isQuick ? 40 : 400));
  } finally {
    await session.close();
  }
}

/**
 * Lines as a source file has them.
 *
 * @param {number} size
 */
function textOf(size) {
  const lines = Array.from(
    { length: size / 40 + 1 },
    (_, at) => `const value${at} = "some text of line ${at}";\n`,
  );
  return lines
    .join("")
    .slice(0, size - 1)
    .concat("\n");
}

/**
 * Milliseconds of each side. All take turns, so that a slow moment hits all alike.
 *
 * @param {Readonly<Record<string, () => Promise<void>>>} sides
 * @param {number} rounds
 */
async function inTurns(sides, rounds) {
  /** @type {Map<string, number[]>} */
  const samples = new Map(Object.keys(sides).map((name) => [name, []]));
  for (let round = -warmUps; round < rounds; round++) {
    for (const [name, call] of inRandomOrder(Object.entries(sides))) {
      const startedAt = performance.now();
      await call();
      if (round >= 0) samples.get(name)?.push(performance.now() - startedAt);
    }
  }
  return samples;
}

/**
 * @param {Map<string, number[]>} samples
 * @returns {import("../group-result.mjs").GroupResult}
 */
function resultOf(samples) {
  const [read, cat, write] = ["read", "cat", "write"].map((name) => p50(samples.get(name) ?? []));
  if (read === undefined || cat === undefined || write === undefined) throw new Error("a side is missing");
  const n = samples.get("cat")?.length ?? 0;
  return {
    tables: [
      {
        name: "small_files",
        title: `a file of ${fileBytes / 1000} kB in a warm session, p50`,
        columns: [
          { key: "what", label: "what" },
          { key: "took_ms", label: "took", unit: "ms", digits: 2 },
          { key: "to_cat", label: "to cat", digits: 2 },
        ],
        rows: [
          { what: 'execute("cat file")', took_ms: cat, to_cat: 1 },
          { what: "files.read", took_ms: read, to_cat: read / cat },
          { what: "files.write", took_ms: write, to_cat: write / cat },
        ],
      },
    ],
    figures: [
      {
        id: "files.read-10k",
        label: 'files.read of 10 kB to execute("cat file"), p50',
        value: read / cat,
        unit: "ratio",
        n,
        target: { atMost: 1.4 },
      },
      {
        id: "files.write-10k",
        label: 'files.write of 10 kB to execute("cat file"), p50',
        value: write / cat,
        unit: "ratio",
        n,
        target: null,
      },
    ],
    notes: [
      "Reading resolves links, asks the rules and tells mode, time and version; writing replaces the file in one step.",
    ],
  };
}

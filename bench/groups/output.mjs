// @ts-check
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { collectGarbage } from "../collect-garbage.mjs";
import { inRandomOrder } from "../random-order.mjs";
import { p50, quantile } from "../statistics.mjs";
import { openBenchSession } from "../talaria-session.mjs";
import { Timings } from "../timings.mjs";

const mebibyte = 1024 * 1024;
/** How often memory is looked at while output comes. */
const lookEveryBytes = 8 * mebibyte;

/**
 * A flood of output with capture, spill and a listener, against Node reading a pipe and doing nothing with it.
 *
 * @type {import("../group-result.mjs").Measure}
 */
export async function measure({ folder, isQuick }) {
  // Spill files go to the system's temporary folder: with this they are removed with ours.
  process.env["TMPDIR"] = folder;
  const blockCount = isQuick ? 4 : 64;
  const producer = makeProducer(folder, blockCount);
  const expectedBytes = blockCount * blockBytes;
  const timings = new Timings();
  /** @type {number[]} */
  const growths = [];
  const session = await openBenchSession(folder, { cwd: folder });
  const sides = {
    talaria: async () => {
      growths.push(await growthOfRun(session, producer, expectedBytes));
    },
    raw: () => readRaw(producer, expectedBytes),
  };
  try {
    // Warm: code compiled, buffers of their usual size.
    for (const run of Object.values(sides)) await run();
    growths.length = 0;
    for (let round = 0; round < (isQuick ? 1 : 7); round++) {
      for (const [name, run] of inRandomOrder(Object.entries(sides))) {
        const began = performance.now();
        await run();
        timings.add(name, producer, performance.now() - began);
      }
    }
  } finally {
    await session.close();
  }
  return resultOf(timings.of("talaria", [{ text: producer }]), timings.of("raw", [{ text: producer }]), {
    expectedBytes,
    growths,
  });
}

const blockBytes = 16 * mebibyte;

/**
 * Text of lines of different lengths, and the command that prints it over and over: one `cat`, no work of its own.
 *
 * @param {string} folder
 * @param {number} blockCount
 */
function makeProducer(folder, blockCount) {
  const file = path.join(folder, "lines.txt");
  const lines = [];
  for (let bytes = 0, at = 0; bytes < blockBytes; at++) {
    const line = `${at} ${"the quick brown fox ".repeat((at % 7) + 1)}\n`;
    lines.push(line);
    bytes += line.length;
  }
  writeFileSync(file, lines.join("").slice(0, blockBytes));
  return `cat ${Array.from({ length: blockCount }, () => path.basename(file)).join(" ")}`;
}

/**
 * @param {import("@talaria/core").TerminalSession} session
 * @param {string} producer
 * @param {number} expectedBytes
 * @returns {Promise<number>} bytes by which resident memory grew at most
 */
async function growthOfRun(session, producer, expectedBytes) {
  collectGarbage();
  const before = process.memoryUsage.rss();
  let most = before;
  let seenBytes = 0;
  let nextLook = 0;
  const { outcome, truncated } = await session.execute(producer, {
    onOutput: ({ bytes }) => {
      seenBytes += bytes.length;
      if (seenBytes < nextLook) return;
      nextLook = seenBytes + lookEveryBytes;
      most = Math.max(most, process.memoryUsage.rss());
    },
  });
  most = Math.max(most, process.memoryUsage.rss());
  if (outcome.kind !== "exited" || outcome.code !== 0 || seenBytes !== expectedBytes) {
    throw new Error(`${seenBytes} of ${expectedBytes} bytes arrived, outcome ${JSON.stringify(outcome)}`);
  }
  if (truncated?.totalBytes !== expectedBytes || truncated.spill === undefined) {
    throw new Error(`the output was not counted and spilled as it should be: ${JSON.stringify(truncated)}`);
  }
  return most - before;
}

/**
 * @param {string} producer
 * @param {number} expectedBytes
 * @returns {Promise<void>}
 */
function readRaw(producer, expectedBytes) {
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["-c", producer], {
      cwd: process.env["TMPDIR"],
      stdio: ["ignore", "pipe", "inherit"],
    });
    let seenBytes = 0;
    child.stdout.on("data", (bytes) => (seenBytes += bytes.length));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0 && seenBytes === expectedBytes) resolve();
      else reject(new Error(`a raw read got ${seenBytes} of ${expectedBytes} bytes, status ${code}`));
    });
  });
}

/**
 * @param {readonly number[]} own
 * @param {readonly number[]} raw
 * @param {{ expectedBytes: number, growths: readonly number[] }} facts
 * @returns {import("../group-result.mjs").GroupResult}
 */
function resultOf(own, raw, { expectedBytes, growths }) {
  /** @param {number} tookMs */
  const rate = (tookMs) => expectedBytes / mebibyte / (tookMs / 1000);
  return {
    tables: [
      {
        name: "throughput",
        title: `${expectedBytes / mebibyte} MiB of text`,
        columns: [
          { key: "side", label: "side" },
          { key: "p50_mib_per_second", label: "p50", unit: "MiB/s", digits: 0 },
          { key: "worst_mib_per_second", label: "worst", unit: "MiB/s", digits: 0 },
          { key: "n", label: "n", digits: 0 },
        ],
        rows: [
          { side: "talaria: capture, spill, onOutput", samples: own },
          { side: "a pipe read in Node", samples: raw },
        ].map(({ side, samples }) => ({
          side,
          p50_mib_per_second: rate(p50(samples)),
          worst_mib_per_second: rate(quantile(samples, 1)),
          n: samples.length,
        })),
      },
    ],
    figures: [
      {
        id: "output.throughput_ratio",
        label: "throughput to a raw pipe read, p50",
        value: p50(raw) / p50(own),
        unit: "ratio",
        n: own.length,
        target: { atLeast: 0.8 },
      },
      {
        id: "output.resident_growth",
        label: "most that resident memory grew in any run",
        value: quantile(growths, 1),
        unit: "bytes",
        n: growths.length,
        target: { atMost: 64 * mebibyte },
      },
    ],
    notes: [],
  };
}

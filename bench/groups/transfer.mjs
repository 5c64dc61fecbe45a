// @ts-check
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { collectGarbage } from "../collect-garbage.mjs";
import { inRandomOrder } from "../random-order.mjs";
import { p50, quantile } from "../statistics.mjs";
import { openBenchSession } from "../talaria-session.mjs";
import { Timings } from "../timings.mjs";

const mebibyte = 1024 * 1024;
/** How often memory is looked at while a file passes. */
const lookEveryMs = 20;

/**
 * Trees and large files in and out of a sandbox, against what moves the same bytes on this machine: `tar | tar`, `cp`.
 *
 * @type {import("../group-result.mjs").Measure}
 */
export async function measure({ folder, isQuick }) {
  const session = await openBenchSession(folder, { cwd: folder });
  try {
    const tree = await trees(session, folder, isQuick);
    const file = await largeFile(session, folder, isQuick);
    return {
      figures: [...tree.figures, ...file.figures],
      tables: [...tree.tables, ...file.tables],
      notes: ["Every side writes to a fresh target in the same folder; removing it is not measured."],
    };
  } finally {
    await session.close();
  }
}

/**
 * @param {import("@talaria/core").TerminalSession} session
 * @param {string} folder
 * @param {boolean} isQuick
 */
async function trees(session, folder, isQuick) {
  const source = path.join(folder, "tree");
  const target = path.join(folder, "tree-copy");
  const count = isQuick ? 500 : 10_000;
  makeTree(source, count);
  const sides = {
    upload: async () => {
      await session.files.upload(source, target);
    },
    download: async () => {
      await session.files.download(source, target);
    },
    "tar | tar": () => inShell('mkdir "$2" && tar -c -C "$1" . | tar -x -C "$2"', source, target),
  };
  /** @param {string} name */
  const check = (name) => {
    const found = readdirSync(target, { recursive: true }).length;
    const expected = count + Math.ceil(count / filesPerDirectory);
    if (found !== expected) throw new Error(`${name} made ${found} of ${expected} entries`);
  };
  const timings = await timed(sides, target, isQuick ? 1 : 7, check);
  const baseline = p50(timings.of("tar | tar", [{ text: "run" }]));
  return {
    tables: [tableOf("tree", `${count} files of 1 kB`, Object.keys(sides), timings)],
    figures: ["upload", "download"].map((side) =>
      ratioFigure(
        `transfer.tree_${side}_ratio`,
        `tree ${side} to \`tar | tar\`, p50`,
        timings,
        side,
        baseline,
        2,
      ),
    ),
  };
}

const filesPerDirectory = 100;

/**
 * @param {string} folder
 * @param {number} count
 */
function makeTree(folder, count) {
  for (let at = 0; at < count; at++) {
    const directory = path.join(folder, `directory-${Math.floor(at / filesPerDirectory)}`);
    if (at % filesPerDirectory === 0) mkdirSync(directory, { recursive: true });
    writeFileSync(path.join(directory, `file-${at}.txt`), randomBytes(1_000));
  }
}

/**
 * Both ways of a session, and over a pipe as a sandbox on another machine has it: for comparison, without a target.
 *
 * @param {import("@talaria/core").TerminalSession} session
 * @param {string} folder
 * @param {boolean} isQuick
 */
async function largeFile(session, folder, isQuick) {
  const source = path.join(folder, "large");
  const target = path.join(folder, "large-copy");
  const bytes = (isQuick ? 32 : 2_048) * mebibyte;
  /** @type {number[]} */
  const growths = [];
  const piped = await openBenchSession(folder, { cwd: folder, hidesHostFiles: true });
  /**
   * @param {"upload" | "download"} way
   * @param {import("@talaria/core").TerminalSession} by
   */
  const through = (way, by) => async () => {
    growths.push(await growthDuring(() => by.files[way](source, target)));
  };
  const sides = {
    upload: through("upload", session),
    download: through("download", session),
    "upload over a pipe": through("upload", piped),
    "download over a pipe": through("download", piped),
    cp: () => inShell('cp "$1" "$2"', source, target),
  };
  /** @param {string} name */
  const check = (name) => {
    const { size } = statSync(target);
    if (size !== bytes) throw new Error(`${name} made a file of ${size} bytes instead of ${bytes}`);
  };
  try {
    makeFile(source, bytes);
    const timings = await timed(sides, target, isQuick ? 1 : 5, check);
    const baseline = p50(timings.of("cp", [{ text: "run" }]));
    return {
      tables: [tableOf("file", `a file of ${bytes / mebibyte} MiB`, Object.keys(sides), timings)],
      figures: [
        ...["upload", "download"].flatMap((side) => [
          ratioFigure(
            `transfer.file_${side}_ratio`,
            `file ${side} to \`cp\`, p50`,
            timings,
            side,
            baseline,
            1.5,
          ),
          ratioFigure(
            `transfer.file_${side}_pipe_ratio`,
            `file ${side} over a pipe to \`cp\`, p50`,
            timings,
            `${side} over a pipe`,
            baseline,
            null,
          ),
        ]),
        {
          id: "transfer.resident_growth",
          label: "most that resident memory grew while a file passed",
          value: quantile(growths, 1),
          unit: "bytes",
          n: growths.length,
          target: { atMost: 64 * mebibyte },
        },
      ],
    };
  } finally {
    await piped.close();
    rmSync(source, { force: true });
    rmSync(target, { force: true });
  }
}

/**
 * @param {string} file
 * @param {number} bytes
 */
function makeFile(file, bytes) {
  const block = randomBytes(8 * mebibyte);
  const fd = openSync(file, "w");
  for (let written = 0; written < bytes;) written += writeSync(fd, block);
  // Else it goes to the disk while the sides take turns.
  fsyncSync(fd);
  closeSync(fd);
}

/**
 * Most that resident memory grew meanwhile.
 *
 * @param {() => Promise<unknown>} run
 */
async function growthDuring(run) {
  collectGarbage();
  const before = process.memoryUsage.rss();
  let most = before;
  const look = () => (most = Math.max(most, process.memoryUsage.rss()));
  const timer = setInterval(look, lookEveryMs);
  try {
    await run();
  } finally {
    clearInterval(timer);
  }
  look();
  return most - before;
}

/**
 * All sides in turn, in another order each round, one round first that does not count.
 *
 * @param {Readonly<Record<string, () => Promise<void>>>} sides
 * @param {string} target removed before each run
 * @param {number} rounds
 * @param {(side: string) => void} check
 */
async function timed(sides, target, rounds, check) {
  const timings = new Timings();
  for (let round = -1; round < rounds; round++) {
    for (const [name, run] of inRandomOrder(Object.entries(sides))) {
      rmSync(target, { recursive: true, force: true });
      const began = performance.now();
      await run();
      if (round >= 0) timings.add(name, "run", performance.now() - began);
      check(name);
    }
  }
  rmSync(target, { recursive: true, force: true });
  return timings;
}

/**
 * @param {string} script
 * @param {readonly string[]} args
 * @returns {Promise<void>}
 */
function inShell(script, ...args) {
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["-c", script, "bash", ...args], { stdio: ["ignore", "ignore", "inherit"] });
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`${script} ended with ${code}`))));
  });
}

/**
 * @param {string} name
 * @param {string} title
 * @param {readonly string[]} sides
 * @param {Timings} timings
 */
function tableOf(name, title, sides, timings) {
  return {
    name,
    title,
    columns: [
      { key: "side", label: "side" },
      { key: "p50_ms", label: "p50", unit: "ms", digits: 0 },
      { key: "worst_ms", label: "worst", unit: "ms", digits: 0 },
      { key: "n", label: "n", digits: 0 },
    ],
    rows: sides.map((side) => {
      const samples = timings.of(side, [{ text: "run" }]);
      return { side, p50_ms: p50(samples), worst_ms: quantile(samples, 1), n: samples.length };
    }),
  };
}

/**
 * @param {string} id
 * @param {string} label
 * @param {Timings} timings
 * @param {string} side
 * @param {number} baseline
 * @param {number | null} atMost null: only for comparison
 */
function ratioFigure(id, label, timings, side, baseline, atMost) {
  const samples = timings.of(side, [{ text: "run" }]);
  return {
    id,
    label,
    value: p50(samples) / baseline,
    unit: "ratio",
    n: samples.length,
    target: atMost === null ? null : { atMost },
  };
}

// @ts-check
import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mixDirectory } from "../command-mix.mjs";
import { talaria } from "../contenders/talaria.mjs";
import { inRandomOrder } from "../random-order.mjs";
import { p50 } from "../statistics.mjs";
import { openBenchSession } from "../talaria-session.mjs";
import { timeCommand } from "../time-command.mjs";
import { Timings } from "../timings.mjs";

const mebibyte = 1024 * 1024;

/**
 * Large input: a file's worth of bytes on stdin, and a script a megabyte long.
 *
 * @type {import("../group-result.mjs").Measure}
 */
export async function measure({ folder, isQuick }) {
  const session = await openBenchSession(folder, { cwd: mixDirectory });
  try {
    const input = await largeInput(session, isQuick);
    const script = await longScript(session, isQuick);
    return {
      figures: [...input.figures, ...script.figures],
      tables: [...input.tables, ...script.tables],
      notes: [],
    };
  } finally {
    await session.close();
  }
}

/**
 * @param {import("@talaria/core").TerminalSession} session
 * @param {boolean} isQuick
 */
async function largeInput(session, isQuick) {
  const size = (isQuick ? 1 : 64) * mebibyte;
  const input = randomBytes(size);
  const expected = createHash("sha256").update(input).digest("hex");
  const timings = new Timings();
  let exact = 0;
  const rounds = isQuick ? 1 : 5;
  const sides = {
    talaria: async () => {
      const { output } = await session.execute("sha256sum", { stdin: input });
      if (output === `${expected}  -\n`) exact += 1;
    },
    child_process: () => hashInChild(input),
  };
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of inRandomOrder(Object.entries(sides))) {
      const began = performance.now();
      await run();
      timings.add(name, "sha256sum", performance.now() - began);
    }
  }
  return {
    tables: [
      {
        name: "large_input",
        title: `${size / mebibyte} MiB of random bytes into \`sha256sum\``,
        columns: timeColumns,
        rows: Object.keys(sides).map((side) => timeRow(side, timings.of(side, [{ text: "sha256sum" }]))),
      },
    ],
    figures: [
      {
        id: "stdin.exact",
        label: `${size / mebibyte} MiB of stdin arrived byte-exact, times`,
        value: exact,
        unit: "count",
        n: rounds,
        target: { equals: rounds },
      },
    ],
  };
}

/**
 * @param {Buffer} input
 * @returns {Promise<void>}
 */
function hashInChild(input) {
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["-c", "sha256sum"], { stdio: ["pipe", "ignore", "inherit"] });
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`sha256sum ended with ${code}`))));
    child.stdin.end(input);
  });
}

/**
 * @param {import("@talaria/core").TerminalSession} session
 * @param {boolean} isQuick
 */
async function longScript(session, isQuick) {
  const side = talaria(session);
  const scripts = [
    { name: "short", text: hereDocument(1) },
    { name: "1 MiB", text: hereDocument(mebibyte) },
  ].map(({ name, text }) => ({ name, text, exitCode: 0, output: new RegExp(`^${bodyBytes(text)}\n$`) }));
  const timings = new Timings();
  for (const script of scripts) await timeCommand(side, script);
  for (let round = 0; round < (isQuick ? 1 : 25); round++) {
    for (const script of inRandomOrder(scripts)) {
      timings.add(script.name, "wc -c", await timeCommand(side, script));
    }
  }
  const [short = [], long = []] = scripts.map(({ name }) => timings.of(name, [{ text: "wc -c" }]));
  return {
    tables: [
      {
        name: "long_script",
        title: "`wc -c` with a here-document, the way agents write files",
        columns: timeColumns,
        rows: [timeRow("short", short), timeRow("1 MiB", long)],
      },
    ],
    figures: [
      {
        id: "stdin.long_script_cost",
        label: "a 1 MiB script over a short one, p50",
        value: p50(long) - p50(short),
        unit: "ms",
        n: long.length,
        target: { atMost: 100 },
      },
    ],
  };
}

/** @param {number} bytes at least this much text */
function hereDocument(bytes) {
  const line = 'const answer = `${question}`; // it\'s quoted "both" ways\n';
  return `wc -c <<'END'\n${line.repeat(Math.ceil(bytes / line.length))}END\n`;
}

/** @param {string} script */
function bodyBytes(script) {
  return script.length - "wc -c <<'END'\n".length - "END\n".length;
}

const timeColumns = [
  { key: "side", label: "side" },
  { key: "p50_ms", label: "p50", unit: "ms", digits: 1 },
  { key: "n", label: "n", digits: 0 },
];

/**
 * @param {string} side
 * @param {readonly number[]} samples
 */
function timeRow(side, samples) {
  return { side, p50_ms: p50(samples), n: samples.length };
}

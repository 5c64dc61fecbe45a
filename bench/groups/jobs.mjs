// @ts-check
import { readdirSync, readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { quantile, p50 } from "../statistics.mjs";
import { openBenchSession } from "../talaria-session.mjs";

const mebibyte = 1024 * 1024;

/**
 * Many jobs in one session, and what following a long log costs.
 *
 * @type {import("../group-result.mjs").Measure}
 */
export async function measure({ folder, isQuick }) {
  const session = await openBenchSession(folder, { cwd: folder });
  const moved = countBytes(session.environment);
  try {
    const many = await measureMany(session, isQuick ? 20 : 200);
    const followed = await measureFollow(session, moved, (isQuick ? 4 : 100) * mebibyte);
    const latencies = await measureLatency(session, isQuick ? 10 : 60);
    return resultOf(many, followed, latencies);
  } finally {
    await session.jobs.stopAll({ graceMs: 0 });
    await session.close();
  }
}

/**
 * Counts what any process of the environment sends to the host.
 *
 * @param {import("@talaria/core").TerminalEnvironment} environment
 */
function countBytes(environment) {
  const moved = { bytes: 0 };
  const spawn = environment.spawn?.bind(environment);
  if (spawn === undefined) throw new Error("the environment cannot hold processes");
  environment.spawn = async (argv, options) => {
    const process = await spawn(argv, options);
    const stdout = new PassThrough({
      transform(bytes, _, done) {
        moved.bytes += bytes.length;
        done(null, bytes);
      },
    });
    process.stdout.on("error", () => stdout.end());
    // Who does not want any more ends the pipe, as it would end without being counted.
    stdout.on("close", () => process.stdout.destroy());
    process.stdout.pipe(stdout);
    const { pid, stdin, stderr, exit } = process;
    return { pid, stdin, stdout, stderr, exit, kill: (signal) => process.kill(signal) };
  };
  return moved;
}

/**
 * @param {import("@talaria/core").TerminalSession} session
 * @param {number} count
 */
async function measureMany(session, count) {
  const startedAt = performance.now();
  const jobs = await Promise.all(
    Array.from({ length: count }, (_, at) => session.jobs.start(`echo job ${at}; exec sleep 1000000`)),
  );
  const startMs = performance.now() - startedAt;
  const listedAt = performance.now();
  const listed = (await session.jobs.list()).filter(({ state }) => state === "running").length;
  const listMs = performance.now() - listedAt;
  // Followed all at once while they run: each until its first line has come.
  const lines = await Promise.all(
    jobs.map(async (job) => {
      for await (const { bytes } of job.follow()) return Buffer.from(bytes).toString();
      return "";
    }),
  );
  const followed = lines.filter((line, at) => line === `job ${at}\n`).length;
  const stoppedAt = performance.now();
  const reports = await session.jobs.stopAll({ graceMs: 2_000 });
  const stopMs = performance.now() - stoppedAt;
  const proven = reports.filter(({ report }) => report.killed === "all").length;
  const left = processesOf(jobs.map(({ id }) => id));
  return { count, startMs, listMs, stopMs, listed, followed, proven, left };
}

/**
 * Living processes that have one of the ids in their arguments or their environment.
 *
 * @param {readonly string[]} ids
 */
function processesOf(ids) {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const texts = ["cmdline", "environ"].map((file) => readFileSync(`/proc/${pid}/${file}`, "latin1"));
      return ids.some((id) => texts.some((text) => text.includes(`/jobs/${id}`)));
    } catch {
      return false;
    }
  }).length;
}

/**
 * @param {import("@talaria/core").TerminalSession} session
 * @param {{ bytes: number }} moved
 * @param {number} size
 */
async function measureFollow(session, moved, size) {
  const before = moved.bytes;
  const began = performance.now();
  const job = await session.jobs.start(`head -c ${size} /dev/zero`);
  let seen = 0;
  for await (const { bytes } of job.follow()) seen += bytes.length;
  const tookMs = performance.now() - began;
  if (seen !== size) throw new Error(`${seen} of ${size} bytes were followed`);
  const movedBytes = moved.bytes - before;
  await session.jobs.remove(job.id);
  return { size, movedBytes, tookMs };
}

/**
 * Milliseconds from the writing of a line to its arrival. Both clocks are this machine's.
 *
 * @param {import("@talaria/core").TerminalSession} session
 * @param {number} count
 */
async function measureLatency(session, count) {
  const job = await session.jobs.start(
    `for (( i = 0; i < ${count}; i++ )); do echo $EPOCHREALTIME; sleep 0.05; done`,
  );
  const latencies = [];
  for await (const { bytes } of job.follow()) {
    const now = performance.timeOrigin + performance.now();
    const written = Number(Buffer.from(bytes).toString().trim().split("\n").at(0));
    latencies.push(now - written * 1000);
  }
  // What was there before following began has waited for it.
  return latencies.slice(1);
}

/**
 * @param {Awaited<ReturnType<typeof measureMany>>} many
 * @param {Awaited<ReturnType<typeof measureFollow>>} followed
 * @param {readonly number[]} latencies
 * @returns {import("../group-result.mjs").GroupResult}
 */
function resultOf(many, followed, latencies) {
  const { count, startMs, listMs, stopMs, listed, followed: withLine, proven, left } = many;
  return {
    tables: [
      {
        name: "many_jobs",
        title: `${count} jobs at once in one session`,
        columns: [
          { key: "what", label: "what" },
          { key: "took_ms", label: "took", unit: "ms", digits: 0 },
        ],
        rows: [
          { what: "start all", took_ms: startMs },
          { what: "list all", took_ms: listMs },
          { what: "stop all, with proof", took_ms: stopMs },
        ],
      },
    ],
    figures: [
      {
        id: "jobs.follow_bytes_ratio",
        label: `bytes moved to bytes written, following ${followed.size / mebibyte} MiB`,
        value: followed.movedBytes / followed.size,
        unit: "ratio",
        n: 1,
        target: { atMost: 1.05 },
      },
      {
        id: "jobs.follow_latency_p50",
        label: "from a line's writing to its arrival, p50",
        value: p50(latencies),
        unit: "ms",
        n: latencies.length,
        target: { atMost: 100 },
      },
      {
        id: "jobs.follow_latency_worst",
        label: "the same, worst",
        value: quantile(latencies, 1),
        unit: "ms",
        n: latencies.length,
        target: null,
      },
      {
        id: "jobs.listed",
        label: "jobs at once that were listed as running",
        value: listed,
        unit: "count",
        n: count,
        target: { equals: count },
      },
      {
        id: "jobs.followed",
        label: "jobs at once that were followed",
        value: withLine,
        unit: "count",
        n: count,
        target: { equals: count },
      },
      {
        id: "jobs.stopped",
        label: "jobs stopped with proof that nothing is left",
        value: proven,
        unit: "count",
        n: count,
        target: { equals: count },
      },
      {
        id: "jobs.left",
        label: "processes of them left, by /proc",
        value: left,
        unit: "count",
        n: count,
        target: { equals: 0 },
      },
    ],
    notes: [
      `${followed.size / mebibyte} MiB were written and followed in ${Math.round(followed.tookMs)} ms.`,
    ],
  };
}

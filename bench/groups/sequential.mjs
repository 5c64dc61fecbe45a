// @ts-check
import { setTimeout as delay } from "node:timers/promises";
import v8 from "node:v8";
import { collectGarbage } from "../collect-garbage.mjs";
import { commandMix, mixDirectory } from "../command-mix.mjs";
import { talaria } from "../contenders/talaria.mjs";
import { descendants, descriptorCount, residentBytes } from "../process-tree.mjs";
import { openBenchSession } from "../talaria-session.mjs";
import { timeCommand } from "../time-command.mjs";

const mebibyte = 1024 * 1024;
const settleWithinMs = 5_000;

/**
 * Thousands of commands one after the other in one session: nothing may grow.
 *
 * @type {import("../group-result.mjs").Measure}
 */
export async function measure({ folder, isQuick }) {
  const [first, half, all] = isQuick ? [8, 40, 80] : [80, 2_000, 5_000];
  const session = await openBenchSession(folder, { cwd: mixDirectory });
  const side = talaria(session);
  const began = performance.now();
  const looks = [];
  try {
    for (let done = 1; done <= all; done++) {
      await timeCommand(side, commandMix[done % commandMix.length] ?? noScript());
      if (done === first || done === half || done === all) looks.push(await look(done));
    }
  } finally {
    await session.close();
  }
  const [start, middle, end] = looks;
  if (start === undefined || middle === undefined || end === undefined)
    throw new Error("not all looks taken");
  const thousands = (end.commands - middle.commands) / 1000;
  return {
    tables: [
      {
        name: "looks",
        title: `${all} commands of the mix in one session, ${perSecond(all, began)} a second`,
        columns: [
          { key: "commands", label: "commands", digits: 0 },
          { key: "rss_mib", label: "node RSS", unit: "MiB" },
          { key: "young_mib", label: "of it young", unit: "MiB" },
          { key: "shell_rss_mib", label: "shells' RSS", unit: "MiB" },
          { key: "descriptors", label: "descriptors", digits: 0 },
          { key: "shell_descriptors", label: "shells' descriptors", digits: 0 },
          { key: "processes", label: "processes", digits: 0 },
          { key: "zombies", label: "zombies", digits: 0 },
        ],
        rows: looks.map((one) => ({
          commands: one.commands,
          rss_mib: one.residentBytes / mebibyte,
          young_mib: one.youngBytes / mebibyte,
          shell_rss_mib: one.shellResidentBytes / mebibyte,
          descriptors: one.descriptors,
          shell_descriptors: one.shellDescriptors,
          processes: one.processes,
          zombies: one.zombies,
        })),
      },
    ],
    figures: [
      {
        ...growth("resident_per_1000", "resident memory per 1,000 commands after the first 2,000"),
        value: (end.residentBytes - middle.residentBytes) / thousands,
        unit: "bytes",
        target: { atMost: 1_000_000 },
      },
      {
        ...growth("shell_resident_per_1000", "resident memory of its shells per 1,000 commands"),
        value: (end.shellResidentBytes - middle.shellResidentBytes) / thousands,
        unit: "bytes",
        target: null,
      },
      {
        ...growth("descriptors", "descriptors more than at the start, shells included"),
        value: end.descriptors + end.shellDescriptors - start.descriptors - start.shellDescriptors,
        unit: "count",
        target: { equals: 0 },
      },
      {
        ...growth("processes", "processes more than at the start"),
        value: end.processes - start.processes,
        unit: "count",
        target: { equals: 0 },
      },
      { ...growth("zombies", "zombies"), value: end.zombies, unit: "count", target: { equals: 0 } },
    ],
    notes: [
      "Memory is read after a full collection, counts once they have stopped moving. The young generation is V8's own",
      "room for new objects: it grows in steps of its own choice up to a limit, also when nothing is kept.",
    ],
  };

  /**
   * @param {string} id
   * @param {string} label
   */
  function growth(id, label) {
    return { id: `sequential.${id}`, label, n: all };
  }
}

/**
 * Counts what is there. A shell prepares its next command after it has answered, so counts are read until they agree
 * with those of a moment ago.
 *
 * @param {number} commands how many have run
 */
async function look(commands) {
  collectGarbage();
  const deadline = performance.now() + settleWithinMs;
  let counts = countNow();
  for (;;) {
    await delay(20);
    const again = countNow();
    const isSettled = JSON.stringify(again) === JSON.stringify(counts);
    counts = again;
    if (isSettled || performance.now() > deadline) break;
  }
  const shellResidentBytes = descendants().reduce((sum, { pid }) => sum + residentBytes(pid), 0);
  const youngBytes = youngGenerationBytes();
  return { commands, residentBytes: residentBytes(process.pid), youngBytes, shellResidentBytes, ...counts };
}

/** What V8 holds for new objects, whether there are any or not. */
function youngGenerationBytes() {
  const space = v8.getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space");
  return space?.physical_space_size ?? Number.NaN;
}

function countNow() {
  const processes = descendants();
  return {
    processes: processes.length,
    zombies: processes.filter(({ state }) => state === "Z").length,
    descriptors: descriptorCount(process.pid),
    shellDescriptors: processes.reduce((sum, { pid }) => sum + descriptorCount(pid), 0),
  };
}

/**
 * @param {number} count
 * @param {number} began
 */
function perSecond(count, began) {
  return Math.round((count / (performance.now() - began)) * 1000);
}

/** @returns {never} */
function noScript() {
  throw new Error("the mix is empty");
}

// @ts-check
import { commandMix, mixClasses } from "../command-mix.mjs";
import { inRandomOrder } from "../random-order.mjs";
import { p50, p95 } from "../statistics.mjs";
import { timeCommand } from "../time-command.mjs";
import { Timings } from "../timings.mjs";
import { latencyColumns, latencyRow } from "./latency-columns.mjs";
import { openContenders } from "./open-contenders.mjs";

/**
 * One side at a time, each command right after the other: Talaria prepares its next command while another side is
 * measured, and here nobody gives it that time. Blocks alternate, so that both see the same machine.
 *
 * @type {import("../group-result.mjs").Measure}
 */
export async function backToBack(settings) {
  const contenders = await openContenders(settings);
  const { talaria, fresh } = contenders;
  const timings = new Timings();
  const blocks = settings.isQuick ? 1 : 6;
  const roundsPerBlock = settings.isQuick ? 2 : 40;
  try {
    for (let block = 0; block < blocks; block++) {
      for (const side of block % 2 === 0 ? [talaria, fresh] : [fresh, talaria]) {
        for (let round = 0; round < roundsPerBlock; round++) {
          for (const script of inRandomOrder(commandMix)) {
            timings.add(side.name, script.text, await timeCommand(side, script));
          }
        }
      }
    }
  } finally {
    await contenders.close();
  }
  const classes = mixClasses.map((mixClass) => {
    const scripts = commandMix.filter((script) => script.needsProgram === mixClass.needsProgram);
    return { ...mixClass, own: timings.of(talaria.name, scripts), other: timings.of(fresh.name, scripts) };
  });
  return {
    tables: [
      {
        name: "back_to_back",
        title: "One side at a time, without a pause between commands",
        columns: latencyColumns,
        rows: classes.flatMap(({ label, own, other }) => [
          latencyRow(`all ${label}`, talaria.name, own, other),
          latencyRow(`all ${label}`, fresh.name, other, null),
        ]),
      },
    ],
    figures: classes.flatMap(({ id, label, own, other }) => [
      {
        id: `commands.back_to_back.${id}.p50_ratio`,
        label: `back to back, p50 to bash -c, ${label}`,
        value: p50(own) / p50(other),
        unit: "ratio",
        n: own.length,
        target: null,
      },
      {
        id: `commands.back_to_back.${id}.p95_ratio`,
        label: `back to back, p95 to bash -c, ${label}`,
        value: p95(own) / p95(other),
        unit: "ratio",
        n: own.length,
        target: null,
      },
    ]),
    notes: [],
  };
}

// @ts-check
import { commandMix, mixClasses } from "../command-mix.mjs";
import { inRandomOrder } from "../random-order.mjs";
import { p50, p95 } from "../statistics.mjs";
import { timeCommand } from "../time-command.mjs";
import { Timings } from "../timings.mjs";
import { latencyColumns, latencyRow } from "./latency-columns.mjs";
import { openContenders } from "./open-contenders.mjs";

/**
 * All sides in turns, scripts and sides in a new random order each round.
 *
 * @type {import("../group-result.mjs").Measure}
 */
export async function sideBySide(settings) {
  const contenders = await openContenders(settings);
  const timings = new Timings();
  const rounds = settings.isQuick ? 2 : 200;
  try {
    for (let round = 0; round < rounds; round++) {
      for (const script of inRandomOrder(commandMix)) {
        for (const side of inRandomOrder(contenders.all)) {
          timings.add(side.name, script.text, await timeCommand(side, script));
        }
      }
    }
  } finally {
    await contenders.close();
  }
  return resultOf(timings, contenders);
}

/**
 * @param {Timings} timings
 * @param {Awaited<ReturnType<typeof openContenders>>} contenders
 * @returns {import("../group-result.mjs").GroupResult}
 */
function resultOf(timings, { talaria, fresh, all }) {
  /**
   * @param {string} label
   * @param {readonly import("../command-mix.mjs").MixedScript[]} scripts
   */
  const rowsOf = (label, scripts) =>
    all.map(({ name }) =>
      latencyRow(
        label,
        name,
        timings.of(name, scripts),
        name === fresh.name ? null : timings.of(fresh.name, scripts),
      ),
    );
  const classes = mixClasses.map((mixClass) => ({
    ...mixClass,
    scripts: commandMix.filter((script) => script.needsProgram === mixClass.needsProgram),
  }));
  return {
    tables: [
      {
        name: "side_by_side",
        title: "Warm commands, all sides in turns; ratios to a fresh `bash -c`",
        columns: latencyColumns,
        rows: [
          ...commandMix.flatMap((script) => rowsOf(script.text, [script])),
          ...classes.flatMap(({ label, scripts }) => rowsOf(`all ${label}`, scripts)),
        ],
      },
    ],
    figures: classes.flatMap(({ id, label, scripts, p50AtMost }) => {
      const own = timings.of(talaria.name, scripts);
      const other = timings.of(fresh.name, scripts);
      return [
        {
          id: `commands.${id}.p50_ratio`,
          label: `p50 to bash -c, ${label}`,
          value: p50(own) / p50(other),
          unit: "ratio",
          n: own.length,
          target: { atMost: p50AtMost },
        },
        {
          id: `commands.${id}.p95_ratio`,
          label: `p95 to bash -c, ${label}`,
          value: p95(own) / p95(other),
          unit: "ratio",
          n: own.length,
          target: { atMost: 1 },
        },
      ];
    }),
    notes: [
      "Classes are pooled: the quantiles are those of all their commands together. Every answer was checked.",
    ],
  };
}

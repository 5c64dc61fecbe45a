// @ts-check
import { inRandomOrder } from "../random-order.mjs";
import { timeCommand } from "../time-command.mjs";
import { Timings } from "../timings.mjs";
import { latencyColumns, latencyRow } from "./latency-columns.mjs";
import { openContenders } from "./open-contenders.mjs";

/** @type {readonly { label: string, of: (round: number) => string }[]} */
const changes = [
  { label: "export N=<another>", of: (round) => `export N=${round}` },
  { label: "cd <another>", of: (round) => `cd ${round % 2 === 0 ? "/" : "/tmp"}` },
  { label: "f() { <another>; }", of: (round) => `f() { echo ${round}; }` },
];

/**
 * The mix changes the session's state only the first time. Here every command does, so that its transport is paid for.
 *
 * @type {import("../group-result.mjs").Measure}
 */
export async function changingState(settings) {
  const contenders = await openContenders(settings);
  const { talaria, fresh } = contenders;
  const timings = new Timings();
  const rounds = settings.isQuick ? 2 : 150;
  try {
    for (let round = 0; round < rounds; round++) {
      for (const { label, of } of inRandomOrder(changes)) {
        for (const side of inRandomOrder([talaria, fresh])) {
          const script = { text: of(round), exitCode: 0, output: /^$/ };
          timings.add(side.name, label, await timeCommand(side, script));
        }
      }
    }
  } finally {
    await contenders.close();
  }
  return {
    tables: [
      {
        name: "changing_state",
        title: "Commands that change the session's state every time",
        columns: latencyColumns,
        rows: changes.flatMap(({ label }) => {
          const other = timings.of(fresh.name, [{ text: label }]);
          return [
            latencyRow(label, talaria.name, timings.of(talaria.name, [{ text: label }]), other),
            latencyRow(label, fresh.name, other, null),
          ];
        }),
      },
    ],
    figures: [],
    notes: [],
  };
}

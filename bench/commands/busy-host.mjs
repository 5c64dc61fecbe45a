// @ts-check
import { mixDirectory } from "../command-mix.mjs";
import { freshBash } from "../contenders/fresh-bash.mjs";
import { talaria } from "../contenders/talaria.mjs";
import { inRandomOrder } from "../random-order.mjs";
import { p50 } from "../statistics.mjs";
import { openBenchSession } from "../talaria-session.mjs";
import { timeCommand } from "../time-command.mjs";
import { Timings } from "../timings.mjs";
import { latencyColumns, latencyRow } from "./latency-columns.mjs";

const script = { text: "true", exitCode: 0, output: /^$/ };

/**
 * A session that rests between commands while other programs come and go: what they do must not make its next command
 * slower, although a command's leftovers are looked for among all processes.
 *
 * @type {import("../group-result.mjs").Measure}
 */
export async function busyHost({ folder, isQuick }) {
  const foreignCount = isQuick ? 10 : 300;
  const side = talaria(await openBenchSession(folder, { cwd: mixDirectory }));
  const foreign = freshBash({ cwd: mixDirectory, env: {} });
  const pauses = [
    { label: "after a rest", processes: 0 },
    { label: `after ${foreignCount} processes of others`, processes: foreignCount },
  ];
  const timings = new Timings();
  try {
    await timeCommand(side, script);
    for (let round = 0; round < (isQuick ? 2 : 40); round++) {
      for (const { label, processes } of inRandomOrder(pauses)) {
        await foreign.run(`for ((i = 0; i < ${processes}; i++)); do ( : ); done`);
        timings.add("talaria", label, await timeCommand(side, script));
      }
    }
  } finally {
    await side.close();
  }
  const [rested = [], busy = []] = pauses.map(({ label }) => timings.of("talaria", [{ text: label }]));
  return {
    tables: [
      {
        name: "busy_host",
        title: `\`${script.text}\` while other programs come and go`,
        columns: latencyColumns,
        rows: pauses.map(({ label }) =>
          latencyRow(label, "talaria", timings.of("talaria", [{ text: label }]), rested),
        ),
      },
    ],
    figures: [
      {
        id: "commands.busy_host.p50_ratio",
        label: `p50 after ${foreignCount} processes of others to after none`,
        value: p50(busy) / p50(rested),
        unit: "ratio",
        n: busy.length,
        target: null,
      },
    ],
    notes: [],
  };
}

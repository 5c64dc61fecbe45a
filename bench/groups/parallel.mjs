// @ts-check
import { mixDirectory } from "../command-mix.mjs";
import { freshBash } from "../contenders/fresh-bash.mjs";
import { talaria } from "../contenders/talaria.mjs";
import { inRandomOrder } from "../random-order.mjs";
import { p50, quantile } from "../statistics.mjs";
import { openBenchSession } from "../talaria-session.mjs";
import { timeCommand } from "../time-command.mjs";
import { Timings } from "../timings.mjs";

const commandCount = 50;
const script = { text: "sleep 0.2", exitCode: 0, output: /^$/ };

/**
 * Many commands at once in a session that has run none yet.
 *
 * @type {import("../group-result.mjs").Measure}
 */
export async function measure({ folder, isQuick }) {
  const timings = new Timings();
  const count = isQuick ? 4 : commandCount;
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])),
  );
  const fresh = () => freshBash({ cwd: mixDirectory, env });
  const cold = async () => talaria(await openBenchSession(folder, { cwd: mixDirectory }));
  // The login environment is read once and kept; that is no part of this.
  await (await cold()).close();
  for (let round = 0; round < (isQuick ? 1 : 7); round++) {
    for (const open of inRandomOrder([cold, fresh])) {
      const side = await open();
      const began = performance.now();
      await Promise.all(Array.from({ length: count }, () => timeCommand(side, script)));
      timings.add(side.name, script.text, performance.now() - began);
      await side.close();
    }
  }
  const own = timings.of("talaria", [script]);
  const other = timings.of("bash -c", [script]);
  return {
    tables: [
      {
        name: "wall",
        title: `${count} × \`${script.text}\` at once, from the first call to the last answer`,
        columns: [
          { key: "side", label: "side" },
          { key: "p50_ms", label: "p50", unit: "ms", digits: 0 },
          { key: "worst_ms", label: "worst", unit: "ms", digits: 0 },
          { key: "n", label: "n", digits: 0 },
        ],
        rows: [
          { side: "talaria, cold", p50_ms: p50(own), worst_ms: quantile(own, 1), n: own.length },
          { side: "bash -c", p50_ms: p50(other), worst_ms: quantile(other, 1), n: other.length },
        ],
      },
    ],
    figures: [
      {
        id: "parallel.wall",
        label: `${count} parallel \`${script.text}\`, cold, p50`,
        value: p50(own),
        unit: "ms",
        n: own.length,
        target: { atMost: 800 },
      },
    ],
    notes: [],
  };
}

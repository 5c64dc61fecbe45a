// @ts-check
import { commandMix, mixClasses, mixDirectory } from "../command-mix.mjs";
import { talaria } from "../contenders/talaria.mjs";
import { inRandomOrder } from "../random-order.mjs";
import { p50 } from "../statistics.mjs";
import { openBenchSession } from "../talaria-session.mjs";
import { timeCommand } from "../time-command.mjs";
import { Timings } from "../timings.mjs";
import { latencyColumns, latencyRow } from "./latency-columns.mjs";

const functionCount = 150;

/** A script of which nobody can tell beforehand whether it changes a function. */
const expanding = { text: 'echo "$HOME"', exitCode: 0, output: /^\/.*\n$/ };

/**
 * Two sessions in turns, one of which has defined many functions.
 *
 * @type {import("../group-result.mjs").Measure}
 */
export async function manyFunctions({ folder, isQuick }) {
  const plain = { ...talaria(await openBenchSession(folder, { cwd: mixDirectory })), name: "without" };
  const loaded = {
    ...talaria(await openBenchSession(folder, { cwd: mixDirectory })),
    name: `${functionCount} functions`,
  };
  const scripts = [...commandMix, expanding];
  const timings = new Timings();
  try {
    await timeCommand(loaded, { text: functionDefinitions(), exitCode: 0, output: /^$/ });
    await timeCommand(loaded, {
      text: "declare -F | grep -c bench_",
      exitCode: 0,
      output: new RegExp(`^${functionCount}\n$`),
    });
    for (const script of scripts) for (const side of [plain, loaded]) await timeCommand(side, script);
    for (let round = 0; round < (isQuick ? 2 : 120); round++) {
      for (const script of inRandomOrder(scripts)) {
        for (const side of inRandomOrder([plain, loaded])) {
          timings.add(side.name, script.text, await timeCommand(side, script));
        }
      }
    }
  } finally {
    await plain.close();
    await loaded.close();
  }
  const classes = [
    ...mixClasses.map(({ id, label, needsProgram }) => ({
      id,
      label: `all ${label}`,
      scripts: commandMix.filter((script) => script.needsProgram === needsProgram),
      target: { atMost: 1.5 },
    })),
    { id: "expanding", label: expanding.text, scripts: [expanding], target: null },
  ].map((part) => ({
    ...part,
    own: timings.of(loaded.name, part.scripts),
    other: timings.of(plain.name, part.scripts),
  }));
  return {
    tables: [
      {
        name: "many_functions",
        title: `A session that has defined ${functionCount} functions against one that has not`,
        columns: latencyColumns,
        rows: classes.flatMap(({ label, own, other }) => [
          latencyRow(label, loaded.name, own, other),
          latencyRow(label, plain.name, other, null),
        ]),
      },
    ],
    figures: classes.map(({ id, label, own, other, target }) => ({
      id: `commands.many_functions.${id}.p50_ratio`,
      label: `${functionCount} functions, p50 to none, ${label}`,
      value: p50(own) / p50(other),
      unit: "ratio",
      n: own.length,
      target,
    })),
    notes: [],
  };
}

/** Functions as start-up files have them: a few lines each. */
function functionDefinitions() {
  return Array.from(
    { length: functionCount },
    (_, at) =>
      `bench_${at}() {\n  local name=$1\n  if [[ -n $name ]]; then\n    printf '%s\\n' "$name ${at}"\n  fi\n}\n`,
  ).join("");
}

// @ts-check
import { commandMix, mixDirectory } from "../command-mix.mjs";
import { execaBash } from "../contenders/execa.mjs";
import { freshBash } from "../contenders/fresh-bash.mjs";
import { nodePty } from "../contenders/node-pty.mjs";
import { talaria } from "../contenders/talaria.mjs";
import { openBenchSession } from "../talaria-session.mjs";
import { timeCommand } from "../time-command.mjs";

const warmUpRounds = 10;

/**
 * All sides, ready and warm. The other sides get the variables that Talaria's commands have: the same work for all.
 *
 * @param {import("../group-result.mjs").GroupSettings} settings
 */
export async function openContenders({ folder, isQuick }) {
  const session = await openBenchSession(folder, { cwd: mixDirectory });
  const { output } = await session.execute("env -0");
  const place = { cwd: mixDirectory, env: variablesOf(output) };
  const sides = {
    talaria: talaria(session),
    fresh: freshBash(place),
    execa: execaBash(place),
    pty: nodePty(place),
  };
  const all = Object.values(sides);
  for (let round = 0; round < (isQuick ? 1 : warmUpRounds); round++) {
    for (const script of commandMix) for (const side of all) await timeCommand(side, script);
  }
  return {
    ...sides,
    all,
    close: async () => {
      for (const side of all) await side.close();
    },
  };
}

/**
 * @param {string} text as `env -0` prints it
 * @returns {Record<string, string>}
 */
function variablesOf(text) {
  const entries = text.split("\0").filter((entry) => entry !== "");
  return Object.fromEntries(
    entries.map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)]),
  );
}

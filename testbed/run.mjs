// @ts-check
// npm run testbed -- up|down|status [engine…]: what the tests run against, brought up and taken down.
import "../scripts/node-version.mjs";
import { mkdirSync } from "node:fs";
import { engines } from "./engines.mjs";
import { installPackages, missingNeeds } from "./needs.mjs";
import { printStatus } from "./status.mjs";
import { testbedFolder } from "./testbed-folder.mjs";

const usage = `Usage:
  npm run testbed -- up [engine…]               install what is missing and start the engines
  npm run testbed -- down [engine…]             stop everything an engine started
  npm run testbed -- status [engine…] [--json]  say what is there

Engines: ${engines.map((engine) => engine.name).join(", ")} (all, when none is named)
Everything kept stands in ${testbedFolder()} (TALARIA_TESTBED): delete it when no engine is up.
`;

process.exitCode = await main(process.argv.slice(2));

/**
 * @param {readonly string[]} args
 * @returns {Promise<number>}
 */
async function main(args) {
  const isJson = args.includes("--json");
  const [command, ...names] = args.filter((arg) => arg !== "--json");
  if (command === "--help" || command === "-h") {
    process.stdout.write(usage);
    return 0;
  }
  const unknown = names.filter((name) => !engines.some((engine) => engine.name === name));
  if (unknown.length > 0) {
    process.stderr.write(`testbed: there is no engine ${unknown.join(", ")}.\n\n${usage}`);
    return 2;
  }
  const chosen = engines.filter((engine) => names.length === 0 || names.includes(engine.name));
  switch (command) {
    case "up":
      return await up(chosen);
    case "down":
      for (const engine of chosen.toReversed()) await engine.down({ folder: testbedFolder() });
      return 0;
    case "status":
      return await printStatus(chosen, isJson);
    default:
      process.stderr.write(usage);
      return 2;
  }
}

/**
 * @param {readonly import("./engine.mjs").Engine[]} chosen
 * @returns {Promise<number>}
 */
async function up(chosen) {
  const missing = missingNeeds(chosen.flatMap((engine) => engine.needs));
  if (missing.length > 0) await installPackages(missing.map((need) => need.debian));
  const stillMissing = missingNeeds(missing);
  for (const need of stillMissing) {
    process.stderr.write(`testbed: ${need.command} is missing (${need.why}).\n`);
  }
  if (stillMissing.length > 0) {
    const packages = [...new Set(stillMissing.map((need) => need.debian))].join(" ");
    process.stderr.write(
      `testbed: on Debian and Ubuntu, as root: apt-get install --no-install-recommends ${packages}\n`,
    );
    return 1;
  }
  const folder = testbedFolder();
  mkdirSync(folder, { recursive: true });
  for (const engine of chosen) await engine.up({ folder });
  return 0;
}

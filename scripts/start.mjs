// @ts-check
// npm start: the guided session, or the talaria command with the arguments given.
import "./node-version.mjs";

const { runCli } = await import("./run-cli.mjs");

// npm runs scripts in the checkout; a command belongs where the user called from.
const calledFrom = process.env["npm_lifecycle_event"] === "start" ? process.env["INIT_CWD"] : undefined;
if (calledFrom !== undefined) {
  process.chdir(calledFrom);
  process.env["PWD"] = calledFrom;
}

const args = process.argv.slice(2);
await runCli(args.length === 0 ? ["tour"] : args);

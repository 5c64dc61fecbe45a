// @ts-check
// ./talaria: the talaria command from this checkout.
import "./node-version.mjs";

const { runCli } = await import("./run-cli.mjs");
await runCli(process.argv.slice(2));

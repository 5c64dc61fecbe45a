// @ts-check
// npm test: brings up what the tests need, runs all of them (or those whose path holds an argument), counts.
import "./node-version.mjs";

const { bootstrapOrExit } = await import("./bootstrap/bootstrap.mjs");
await bootstrapOrExit();
const { runTests } = await import("./run-tests.mjs");
process.exitCode = await runTests(process.argv.slice(2));

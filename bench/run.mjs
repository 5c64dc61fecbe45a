// @ts-check
// npm run bench -- local [--json] [--only group] [--check] [--quick]: measures Talaria against what one would use instead.
import "../scripts/node-version.mjs";

const { main } = await import("./main.mjs");
process.exitCode = await main(process.argv.slice(2));

// @ts-check
// Loaded with `node --import` before a program: writes the address of every module that it loads, one a line, into the
// file that TALARIA_BENCH_TRACE names.
import { appendFileSync } from "node:fs";
import module from "node:module";
import { pathToFileURL } from "node:url";

const file = process.env["TALARIA_BENCH_TRACE"] ?? "";
module.register(new URL("./trace-hooks.mjs", import.meta.url), { data: { file } });

// What is loaded by `require` passes no hook.
const cache = module.createRequire(import.meta.url).cache;
process.on("exit", () => {
  const required = Object.keys(cache).map((name) => `${pathToFileURL(name).href}\n`);
  appendFileSync(file, required.join(""));
});

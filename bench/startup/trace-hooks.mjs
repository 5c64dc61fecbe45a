// @ts-check
// Runs in Node's thread for module hooks: see trace-modules.mjs.
import { appendFileSync } from "node:fs";

let file = "";

/** @param {{ file: string }} data */
export function initialize(data) {
  ({ file } = data);
}

/** @type {import("node:module").LoadHook} */
export function load(url, context, nextLoad) {
  appendFileSync(file, `${url}\n`);
  return nextLoad(url, context);
}

#!/usr/bin/env node
import module from "node:module";
import { readVersion } from "./version.js";

const words = process.argv.slice(2);
if (words.length === 1 && (words[0] === "--version" || words[0] === "-V")) {
  // Answered before anything else is loaded: tools ask for a version often and in loops.
  process.stdout.write(`${readVersion()}\n`);
} else {
  // Node 22.8 and later keep compiled code between runs; Node 20 has no such call.
  (module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
  const { main } = await import("./main.js");
  process.exit(await main(words));
}

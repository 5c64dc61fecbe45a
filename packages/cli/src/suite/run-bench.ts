import { UnsupportedCapabilityError } from "@talaria/core";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const program = join("bench", "run.mjs");

/** Runs the checkout's benchmark with the streams of this command and passes its status on. */
export async function runBench(words: readonly string[]): Promise<number> {
  const root = findCheckout(fileURLToPath(import.meta.url)) ?? findCheckout(resolve("."));
  if (root === undefined) {
    throw new UnsupportedCapabilityError("bench", "the benchmark is not part of the installed package", {
      operation: "bench",
      hint: "get a checkout of Talaria and run there: npm run bench -- local",
    });
  }
  const child = spawn(process.execPath, [join(root, program), ...words], { stdio: "inherit" });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code, signal) => {
      resolve(signal === null ? (code ?? 1) : 128 + constants.signals[signal]);
    });
  });
}

/** The nearest folder at or above `path` that has both the benchmark and this package's source. */
function findCheckout(path: string): string | undefined {
  for (let folder = path; ; folder = dirname(folder)) {
    if (existsSync(join(folder, program)) && existsSync(join(folder, "packages", "cli"))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

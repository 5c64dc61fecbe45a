#!/usr/bin/env node
import module from "node:module";
import { isatty } from "node:tty";
import { readVersion } from "./version.js";

const words = process.argv.slice(2);
if (words.length === 1 && (words[0] === "--version" || words[0] === "-V")) {
  // Answered before anything else is loaded: tools ask for a version often and in loops.
  process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
    if (code !== "EPIPE") process.stderr.write(`talaria: stdout could not be written: ${message}\n`);
    process.exitCode = code === "EPIPE" ? 141 : 1;
  });
  process.stdout.write(`${readVersion()}\n`);
} else {
  // Node 22.8 and later keep compiled code between runs; Node 20 has no such call.
  (module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
  const { main } = await import("./main.js").catch((error: unknown): never => {
    // Nothing of ours is there to say it with: too few descriptors, or an incomplete installation.
    const reason = error instanceof Error ? error.message : String(error);
    const isOutOfFiles = error instanceof Error && "code" in error && error.code === "EMFILE";
    const hint = isOutOfFiles ? "allow more open files: ulimit -n 256" : "install Talaria again";
    process.stderr.write(`talaria: its own code could not be loaded: ${reason}\n  hint: ${hint}\n`);
    process.exit(words[0] === "exec" || words[0] === "shell" ? 125 : 1);
  });
  const status = await main(words);
  // A terminal that was hung up cannot be set back, and Node's own attempt at it on exit ends in an abort.
  const streams = [process.stdin, process.stdout, process.stderr];
  if (streams.some(({ isTTY }, fd) => isTTY && !isatty(fd))) process.kill(process.pid, "SIGHUP");
  process.exit(status);
}

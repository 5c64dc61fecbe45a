import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import type { ScriptRun } from "./script-run.js";

/** Longer than any generated script runs that comes to an end at all. */
const limitMs = 4_000;

/** Runs a script as `bash -c` and waits for its last byte. Undefined when it does not come to an end. */
export async function runPlainBash(
  script: string,
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<ScriptRun | undefined> {
  const child = spawn("bash", ["-c", script], {
    ...options,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let isOver = false;
  const limit = setTimeout(() => {
    isOver = true;
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  }, limitMs);
  const [stdout, stderr, end] = await Promise.all([
    read(child.stdout),
    read(child.stderr),
    new Promise<string>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) =>
        resolve(signal === null ? `exited ${code}` : `signaled ${signal}`),
      );
    }),
  ]);
  clearTimeout(limit);
  return isOver ? undefined : { stdout, stderr, end };
}

async function read(stream: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString("latin1");
}

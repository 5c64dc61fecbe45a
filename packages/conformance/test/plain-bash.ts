import { spawn } from "node:child_process";
import type { MinimalEnvironment } from "@talaria/core";

/** What a faulty backend does to an honest command or answer. */
export interface Faults {
  readonly mangle?: (command: string) => string;
  readonly answer?: (answer: { output: string; exitCode: number }) => unknown;
}

/** The smallest environment there is: `bash -c` on this host, its output as text. Faults make it a broken one. */
export function plainBash(faults: Faults = {}): MinimalEnvironment {
  return {
    execute(command, { signal }) {
      return new Promise((resolve, reject) => {
        const shell = spawn("bash", ["-c", faults.mangle?.(command) ?? command], {
          detached: true,
          stdio: ["ignore", "pipe", "pipe"],
          env: { PATH: process.env["PATH"], HOME: "/tmp", TERM: "dumb" },
        });
        const pieces: Buffer[] = [];
        shell.stdout.on("data", (piece: Buffer) => pieces.push(piece));
        shell.stderr.on("data", (piece: Buffer) => pieces.push(piece));
        const endGroup = (): void => {
          // Without a pid it never started, and `error` says why.
          if (shell.pid !== undefined) process.kill(-shell.pid, "SIGKILL");
        };
        signal?.addEventListener("abort", endGroup, { once: true });
        shell.once("error", reject);
        shell.once("close", (code) => {
          signal?.removeEventListener("abort", endGroup);
          const honest = { output: Buffer.concat(pieces).toString(), exitCode: code ?? 137 };
          resolve(faults.answer === undefined ? honest : faults.answer(honest));
        });
      });
    },
    cleanup: () => undefined,
  };
}

import { spawnSync } from "node:child_process";

/** What a bash answered. One byte per character (latin1), as the shell's state is kept. */
export interface BashAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
}

/** Runs a script, given in latin1 on standard input so that its bytes are exactly those, in a real bash. */
export function realBash(script: string, env: Readonly<Record<string, string>> = {}): BashAnswer {
  const { stdout, stderr, status } = spawnSync("bash", ["--noprofile", "--norc"], {
    input: Buffer.from(script, "latin1"),
    env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C", ...env },
    maxBuffer: 1 << 26,
  });
  return { stdout: stdout.toString("latin1"), stderr: stderr.toString("latin1"), status };
}

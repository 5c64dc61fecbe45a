import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** The built command. */
export const bin = join(import.meta.dirname, "../../dist/bin.js");

/** How a finished `talaria` looked to its caller. */
export interface CliRun {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutBytes: Buffer;
}

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
  /** Another account to run as; only root can. */
  readonly uid?: number;
}

/** A folder that is removed when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "talaria-cli-test-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** The command's environment in tests: a home of its own, no colour, none of the caller's TALARIA_ variables. */
export function cliEnv(home: string, env: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(TALARIA_|NO_COLOR$|FORCE_COLOR$|NODE_OPTIONS$|VITEST)/.test(name),
  );
  // A home without start-up files: those of whoever runs the tests may take seconds.
  return { ...Object.fromEntries(own), HOME: home, TALARIA_HOME: home, ...env };
}

/** Starts `talaria` and leaves its streams to the test. */
export function startCli(home: string, words: readonly string[], options: CliOptions = {}): ChildProcess {
  return spawn(process.execPath, [bin, ...words], {
    cwd: options.cwd,
    env: cliEnv(home, options.env),
    stdio: ["pipe", "pipe", "pipe"],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
}

/** Runs `talaria` to its end. */
export async function runCli(
  home: string,
  words: readonly string[],
  options: CliOptions = {},
): Promise<CliRun> {
  const child = startCli(home, words, options);
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout?.on("data", (bytes: Buffer) => stdout.push(bytes));
  child.stderr?.on("data", (bytes: Buffer) => stderr.push(bytes));
  // A command that does not read its stdin closes it; that is not the test's failure.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(options.input);
  const [status, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, name) => {
      resolve([code, name]);
    });
  });
  return {
    status,
    signal,
    stdout: Buffer.concat(stdout).toString("utf8"),
    stderr: Buffer.concat(stderr).toString("utf8"),
    stdoutBytes: Buffer.concat(stdout),
  };
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProcessExit, SandboxProcess, SpawnOptions } from "@talaria/core";
import { onTestFinished } from "vitest";
import { CommandEnvironment, type CommandEnvironmentParts } from "../src/command-environment.js";
import { LocalEnvironment } from "../src/local-environment.js";

/** A folder that goes with the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "talaria-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** An environment with known variables, closed with the test. */
export function openEnvironment(
  parts: Partial<CommandEnvironmentParts> & { directory?: string; bash?: string } = {},
): LocalEnvironment {
  const environment = new LocalEnvironment({
    backend: "local",
    directory: parts.directory ?? "/",
    bash: parts.bash,
    variables: new CommandEnvironment({
      base: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/tmp", ...parts.base },
      login: parts.login ?? {},
      passed: parts.passed ?? {},
      stripEnvKeys: parts.stripEnvKeys ?? [],
    }),
  });
  onTestFinished(async () => {
    await environment.cleanup();
  });
  return environment;
}

/** Everything a stream gives until its end. */
export async function bytesOf(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks);
}

export interface Finished {
  readonly exit: ProcessExit;
  readonly stdout: string;
  readonly stderr: string;
}

/** Reads a process to its end, with nothing on its input. */
export async function finish(process: SandboxProcess): Promise<Finished> {
  process.stdin.end();
  const [exit, stdout, stderr] = await Promise.all([
    process.exit,
    bytesOf(process.stdout),
    bytesOf(process.stderr),
  ]);
  return { exit, stdout: stdout.toString(), stderr: stderr.toString() };
}

/** Runs a script by bash and reads it to its end. */
export async function runBash(
  environment: LocalEnvironment,
  script: string,
  options?: SpawnOptions,
): Promise<Finished> {
  return finish(await environment.spawn(["bash", "-c", script], options));
}

/** Resolves with the first line that matches, and goes on reading. */
export function lineOf(process: SandboxProcess, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let seen = "";
    process.stdout.on("data", (bytes: Buffer) => {
      seen += bytes.toString();
      const match = pattern.exec(seen);
      if (match !== null) resolve(match);
    });
    process.stdout.once("end", () => reject(new Error(`the output ended without ${pattern}: ${seen}`)));
  });
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { onTestFinished } from "vitest";
import type { BaseEnvironmentOptions } from "../../src/environment/base-environment.js";
import type { EnvironmentExecuteOptions } from "../../src/environment/execute-options.js";
import type { CommandResult } from "../../src/environment/execute-result.js";
import { asSandboxPath } from "../../src/workdir/paths.js";
import { HostEnvironment } from "../shell/host-environment.js";

/** A folder that goes with the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "talaria-shell-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** An environment of bare processes on this host, closed with the test. A command that hangs ends as `timedOut`. */
export function openHost(
  env: Readonly<Record<string, string>> = {},
  options: Partial<BaseEnvironmentOptions> = {},
): HostEnvironment {
  const environment = new HostEnvironment(
    { PATH: process.env["PATH"], HOME: tmpdir(), LANG: "C.UTF-8", ...env },
    { timeoutMs: 15_000, ...options },
  );
  onTestFinished(async () => {
    await environment.cleanup();
  });
  return environment;
}

/** Runs commands one after the other where the one before ended, as a session does. */
export class Runner {
  readonly environment: HostEnvironment;
  readonly #shellId: string;
  #cwd: string | null = null;

  constructor(environment: HostEnvironment, shellId = "default") {
    this.environment = environment;
    this.#shellId = shellId;
  }

  async run(script: string, options: EnvironmentExecuteOptions = {}): Promise<CommandResult> {
    const result = await this.environment.execute(script, {
      separate: true,
      shellId: this.#shellId,
      start: { path: this.#cwd === null ? null : asSandboxPath(this.#cwd), ifMissing: "nearest" },
      ...options,
    });
    this.#cwd = result.cwd;
    return result;
  }

  /**
   * What is wrong with the next command, undefined when it runs as if nothing had happened. `kept` names variables that
   * must have the value `kept`: ` $A`.
   */
  async hurt(kept = ""): Promise<object | undefined> {
    const { stdout, stderr, outcome, notes } = await this.run(
      `echo "ok $(echo sub)${kept}" && /bin/echo ext`,
    );
    const found = { stdout, stderr, outcome, notes };
    const wanted = {
      stdout: `ok sub${kept.replaceAll(/\$\w+/g, "kept")}\next\n`,
      stderr: "",
      outcome: { kind: "exited", code: 0 },
      notes: [],
    };
    return isDeepStrictEqual(found, wanted) ? undefined : found;
  }
}

/** A runner on an environment of its own. */
export function hostRunner(
  env?: Readonly<Record<string, string>>,
  options?: Partial<BaseEnvironmentOptions>,
): Runner {
  return new Runner(openHost(env, options));
}

/** What a script printed and how it ended, in one comparable piece. */
export function seen({ stdout, output, stderr, outcome }: CommandResult): readonly [string, string, string] {
  const end =
    outcome.kind === "exited"
      ? `exited ${outcome.code}`
      : outcome.kind === "signaled"
        ? `signaled ${outcome.signal}`
        : outcome.kind;
  return [stdout ?? output, stderr ?? "", end];
}

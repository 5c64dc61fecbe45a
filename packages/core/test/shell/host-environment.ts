import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { BaseEnvironment, type BaseEnvironmentOptions } from "../../src/environment/base-environment.js";
import type { CleanupReport } from "../../src/environment/environment.js";
import type { ProcessExit, SandboxProcess, SpawnOptions } from "../../src/environment/sandbox-process.js";

/** The smallest environment over real processes of this host: what core derives is tested on it, without a backend. */
export class HostEnvironment extends BaseEnvironment {
  readonly #env: NodeJS.ProcessEnv;

  constructor(env: NodeJS.ProcessEnv, options: Partial<BaseEnvironmentOptions> = {}) {
    super({ backend: "host", ...options });
    this.#env = env;
  }

  override async spawn(argv: readonly string[], options: SpawnOptions = {}): Promise<SandboxProcess> {
    const [program = "", ...args] = argv;
    const env = { ...this.#env, ...options.env };
    const child = spawn(program, args, { stdio: "pipe", detached: true, env, cwd: options.cwd });
    await once(child, "spawn");
    const { pid, stdin, stdout, stderr } = child;
    const exit = new Promise<ProcessExit>((resolve) => {
      child.on("exit", (code, signal) => {
        if (signal === null) resolve({ kind: "exited", code: code ?? 0 });
        else resolve({ kind: "signaled", signal, signalNumber: constants.signals[signal] });
      });
    });
    const kill = async (signal = "SIGTERM"): Promise<void> => {
      if (pid !== undefined) process.kill(-pid, signal);
    };
    return { pid, stdin, stdout, stderr, exit, kill };
  }

  protected override async dispose(): Promise<CleanupReport> {
    return { left: [] };
  }
}

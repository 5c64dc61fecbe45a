import { spawn, type ChildProcess } from "node:child_process";
import { constants } from "node:os";
import {
  BaseEnvironment,
  EnvironmentConnectionError,
  type CleanupReport,
  type ProcessExit,
  type SandboxProcess,
  type SpawnOptions,
} from "@talaria/core";

function exitOf(child: ChildProcess): Promise<ProcessExit> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => {
      if (signal !== null) resolve({ kind: "signaled", signal, signalNumber: constants.signals[signal] });
      else resolve({ kind: "exited", code: code ?? 0 });
    });
  });
}

/** What a vendor would write who has nothing but `spawn`: processes of this host, everything else derived by core. */
export class SpawningEnvironment extends BaseEnvironment {
  readonly #inherited: NodeJS.ProcessEnv;

  /** Inheriting the host's environment is a fault that the suite must see. */
  constructor(inheritsHostEnvironment = false) {
    super({ backend: "spawning" });
    this.#inherited = inheritsHostEnvironment
      ? process.env
      : { PATH: process.env["PATH"], HOME: process.env["HOME"] };
  }

  override spawn(argv: readonly string[], options: SpawnOptions = {}): Promise<SandboxProcess> {
    const child = spawn(argv[0] ?? "", argv.slice(1), {
      cwd: options.cwd,
      env: {
        ...this.#inherited,
        PAGER: "cat",
        GIT_PAGER: "cat",
        GIT_TERMINAL_PROMPT: "0",
        TERM: "dumb",
        ...options.env,
      },
      detached: true,
      stdio: ["pipe", "pipe", "pipe"],
    });
    const exit = exitOf(child);
    const kill = async (signal = "SIGTERM"): Promise<void> => {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      process.kill(-child.pid, signal);
    };
    child.stdin.on("error", () => undefined);
    options.signal?.addEventListener("abort", () => void kill("SIGKILL"), { once: true });
    const { pid, stdin, stdout, stderr } = child;
    return new Promise((resolve, reject) => {
      child.once("spawn", () => resolve({ pid, stdin, stdout, stderr, exit, kill }));
      child.once("error", (cause) => {
        reject(new EnvironmentConnectionError(cause.message, { cause, retryHint: "Look at the cause." }));
      });
    });
  }

  protected override async dispose(): Promise<CleanupReport> {
    return { left: [] };
  }
}

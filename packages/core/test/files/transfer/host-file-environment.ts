import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { Readable, Writable } from "node:stream";
import type { ProcessExit, SandboxProcess, SpawnOptions } from "../../../src/environment/sandbox-process.js";
import { HostEnvironment } from "../../shell/host-environment.js";

/** Bare processes of this host that can be given its open files. Tells a test what was started, and lets it interfere. */
export class HostFileEnvironment extends HostEnvironment {
  readonly acceptsHostFiles: boolean;
  readonly #path: string;
  /** Called before a transfer's process is started, and with the process after. */
  beforeStart: () => void = () => undefined;
  afterStart: (process: SandboxProcess) => void = () => undefined;
  /** How many processes were given a file. */
  given = 0;

  constructor(path: string, home: string, acceptsHostFiles = true) {
    super({ PATH: path, HOME: home });
    this.#path = path;
    this.acceptsHostFiles = acceptsHostFiles;
  }

  override async spawn(argv: readonly string[], options: SpawnOptions = {}): Promise<SandboxProcess> {
    if (!argv.join(" ").includes("talaria:")) return super.spawn(argv, options);
    this.beforeStart();
    const process = await this.#start(argv, options);
    this.afterStart(process);
    return process;
  }

  async #start(argv: readonly string[], options: SpawnOptions): Promise<SandboxProcess> {
    const { stdinFile, stdoutFile, env, cwd } = options;
    if (stdinFile === undefined && stdoutFile === undefined) return super.spawn(argv, options);
    this.given += 1;
    const [program = "", ...args] = argv;
    const child = spawn(program, args, {
      stdio: [stdinFile ?? "pipe", stdoutFile ?? "pipe", "pipe"],
      detached: true,
      env: { PATH: this.#path, ...env },
      cwd,
    });
    const exit = new Promise<ProcessExit>((resolve) => {
      child.on("exit", (code, signal) => {
        if (signal === null) resolve({ kind: "exited", code: code ?? 0 });
        else resolve({ kind: "signaled", signal, signalNumber: constants.signals[signal] });
      });
    });
    await once(child, "spawn");
    const { pid } = child;
    return {
      pid,
      stdin: child.stdin ?? new Writable({ write: (_bytes, _encoding, done) => done() }),
      stdout: child.stdout ?? Readable.from([]),
      stderr: child.stderr ?? Readable.from([]),
      exit,
      kill: async (signal = "SIGTERM") => {
        if (pid !== undefined) process.kill(-pid, signal);
      },
    };
  }
}

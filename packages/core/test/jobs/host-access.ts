import { randomUUID } from "node:crypto";
import type {
  CommandResult,
  SandboxAccess,
  SandboxPath,
  SandboxProcess,
  ScriptOptions,
  TerminalEnvironment,
  ToolEvent,
} from "@talaria/core";
import type { ByteFilter } from "../../src/secrets/stream-redactor.js";

/** A session's access as its jobs see it, on an environment, without the rest of a session. */
export class HostAccess implements SandboxAccess {
  readonly backend: string;
  readonly events: ToolEvent[] = [];
  readonly admitted: string[] = [];
  /** Round trips so far. */
  runs = 0;
  cwd: string | null = null;

  readonly environment: TerminalEnvironment;
  readonly sessionName: string;

  constructor(environment: TerminalEnvironment, sessionName: string = randomUUID()) {
    this.environment = environment;
    this.sessionName = sessionName;
    this.backend = environment.backend;
  }

  async run(script: string, options: ScriptOptions = {}): Promise<CommandResult> {
    this.runs += 1;
    const { shell = "own", workdir, ...rest } = options;
    const path = (workdir ?? this.cwd) as SandboxPath | null;
    const result = await this.environment.execute(script, {
      maxOutputBytes: 1024 * 1024,
      separate: true,
      ...rest,
      spill: false,
      start: { path, ifMissing: "fail" },
      shellId: shell === "own" ? "talaria" : this.sessionName,
    });
    if (shell === "session" && workdir === undefined && result.cwdObserved) this.cwd = result.cwd;
    return result;
  }

  async spawn(
    argv: readonly string[],
    { workdir, ...options }: Parameters<SandboxAccess["spawn"]>[1] = {},
  ): Promise<SandboxProcess> {
    if (this.environment.spawn === undefined) throw new Error("no spawn");
    return this.environment.spawn(argv, { ...options, cwd: workdir });
  }

  async home(): Promise<SandboxPath> {
    return "/" as SandboxPath;
  }

  toSandboxPath(path: string): string {
    return path;
  }

  async admit(command: string): Promise<readonly string[]> {
    this.admitted.push(command);
    return [];
  }

  outputFilter(): ByteFilter | undefined {
    return undefined;
  }

  report(event: ToolEvent): void {
    this.events.push(event);
  }

  redact(text: string): string {
    return text;
  }
}

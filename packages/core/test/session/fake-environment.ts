import type { CleanupReport, TerminalEnvironment } from "../../src/environment/environment.js";
import type { EnvironmentExecuteOptions, StartDirectory } from "../../src/environment/execute-options.js";
import type { CommandResult } from "../../src/environment/execute-result.js";
import { exitCodeOf, type Outcome } from "../../src/environment/outcome.js";
import type { SandboxProcess, SpawnOptions } from "../../src/environment/sandbox-process.js";
import { WorkdirError } from "../../src/errors/errors.js";
import { emptyShellState } from "../../src/session/session-record.js";
import type { ShellStateSnapshot } from "../../src/shell/shell-state.js";
import type { Mount } from "../../src/workdir/mount-table.js";
import { asSandboxPath, type SandboxPath } from "../../src/workdir/paths.js";

/** What a scripted command does. Everything left out is as for a command that does nothing. */
export interface FakeCommand {
  readonly cd?: string;
  readonly env?: Readonly<Record<string, string | null>>;
  readonly output?: string;
  readonly outcome?: Outcome;
  readonly cwdObserved?: boolean;
  /** The command ends when this does. */
  readonly until?: Promise<unknown>;
  /** The sandbox is found gone and made anew before the command runs. */
  readonly recreates?: true;
}

/**
 * A fake of an environment, in memory: a set of directories with links, a shell state for each shell id, and commands
 * that do what `commands` says of their text. It keeps what it was asked, for tests to look at.
 */
export class FakeEnvironment implements TerminalEnvironment {
  readonly backend: string;
  readonly id: string;
  readonly mounts: readonly Mount[];
  generation = 1;
  readonly directories = new Set(["/", "/root", "/srv", "/srv/app", "/tmp"]);
  /** Link to target. */
  readonly links = new Map<string, string>();
  readonly commands = new Map<string, FakeCommand>();
  readonly executed: { command: string; options: EnvironmentExecuteOptions; cwd: string }[] = [];
  readonly spawned: { argv: readonly string[]; options: SpawnOptions }[] = [];
  readonly states = new Map<string, ShellStateSnapshot>();
  readonly defaultDirectoryPath = "/root";
  homePath: string | undefined = "/root";
  homeAsked = 0;
  cleanups = 0;

  constructor(options: { backend?: string; id?: string; mounts?: readonly Mount[] } = {}) {
    this.backend = options.backend ?? "fake";
    this.id = options.id ?? "sandbox-1";
    this.mounts = options.mounts ?? [];
  }

  async execute(command: string, options: EnvironmentExecuteOptions = {}): Promise<CommandResult> {
    const fake = this.commands.get(command) ?? {};
    const shellId = options.shellId ?? "default";
    if (fake.recreates) {
      this.generation += 1;
      this.states.clear();
    }
    const generation = this.generation;
    const start = (fake.recreates ? options.startWhenRecreated : undefined) ?? options.start;
    const entered = this.#enter(start ?? { path: null, ifMissing: "fail" });
    this.executed.push({ command, options, cwd: entered.path });
    const isOver = Promise.race([fake.until ?? Promise.resolve(), aborted(options.signal)]);
    const wasAborted = (await isOver) === "aborted";
    if (fake.env !== undefined) this.#merge(shellId, fake.env);
    const outcome: Outcome = wasAborted
      ? { kind: "cancelled", killed: "group", survivors: [] }
      : (fake.outcome ?? { kind: "exited", code: 0 });
    const output = fake.output ?? (command === "pwd -P" ? `${entered.path}\n` : "");
    return {
      outcome,
      exitCode: exitCodeOf(outcome),
      output,
      outputBytes: Buffer.from(output),
      ordered: true,
      cwd: asSandboxPath(fake.cd ?? entered.path),
      cwdObserved: fake.cwdObserved ?? !wasAborted,
      generation,
      ...(fake.recreates ? { recreated: true as const } : {}),
      notes: entered.notes,
      timing: { queuedMs: 0, connectMs: 0, firstByteMs: null, exitMs: 1, drainedMs: 1 },
    };
  }

  async cleanup(): Promise<CleanupReport> {
    this.cleanups += 1;
    return { left: [] };
  }

  async spawn(argv: readonly string[], options: SpawnOptions = {}): Promise<SandboxProcess> {
    this.spawned.push({ argv, options });
    throw new Error("the fake starts nothing");
  }

  async home(): Promise<SandboxPath> {
    this.homeAsked += 1;
    if (this.homePath === undefined) throw new Error("no home");
    return this.homePath as SandboxPath;
  }

  async exportShellState(shellId = "default"): Promise<ShellStateSnapshot> {
    return this.states.get(shellId) ?? emptyShellState;
  }

  async importShellState(snapshot: ShellStateSnapshot, shellId = "default"): Promise<void> {
    this.states.set(shellId, snapshot);
  }

  #enter({ path, relative, ifMissing }: StartDirectory): { path: string; notes: readonly string[] } {
    const asked = path === null ? this.defaultDirectoryPath : path === "~" ? (this.homePath ?? "/") : path;
    const found = this.#real(asked);
    if (found !== undefined) {
      if (relative === undefined) return { path: found, notes: [] };
      const below = this.#real(new URL(relative, `file://${found}/`).pathname.replace(/(?<=.)\/$/, ""));
      if (below !== undefined) return { path: below, notes: [] };
    }
    if (ifMissing === "fail" || relative !== undefined)
      throw new WorkdirError(asked, `${asked} does not exist`);
    const nearest = ifMissing === "home" ? (this.homePath ?? "/") : this.#nearest(asked);
    return { path: nearest, notes: [`${asked} is gone, started in ${nearest}`] };
  }

  #real(path: string): string | undefined {
    const target = this.links.get(path) ?? path;
    return this.directories.has(target) ? target : undefined;
  }

  #nearest(path: string): string {
    const parent = path.slice(0, path.lastIndexOf("/")) || "/";
    return this.directories.has(parent) ? parent : this.#nearest(parent);
  }

  #merge(shellId: string, env: Readonly<Record<string, string | null>>): void {
    const before = this.states.get(shellId) ?? emptyShellState;
    this.states.set(shellId, { ...before, env: { ...before.env, ...env } });
  }
}

function aborted(signal: AbortSignal | undefined): Promise<"aborted"> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve("aborted");
    signal?.addEventListener("abort", () => resolve("aborted"), { once: true });
  });
}

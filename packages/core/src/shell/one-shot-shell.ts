import { randomBytes } from "node:crypto";
import type { EnvironmentExecuteOptions } from "../environment/execute-options.js";
import type { CommandResult } from "../environment/execute-result.js";
import { exitCodeOf, type Outcome } from "../environment/outcome.js";
import type { ProcessExit } from "../environment/sandbox-process.js";
import { asSandboxPath } from "../workdir/paths.js";
import { callerError } from "./caller-error.js";
import { CommandOutput } from "./command-output.js";
import { OneShotProcess } from "./one-shot-process.js";
import { oneShotScript } from "./one-shot-script.js";
import { notStartedResult } from "./not-started.js";
import { makeNonce } from "./request.js";
import type { ShFacts } from "./sh-facts.js";
import type { ShellStateSnapshot } from "./shell-state.js";
import { fromShellBytes, toShellBytes } from "./shell-bytes.js";
import { signalName } from "./signal-names.js";
import type { WarmShellOptions } from "./warm-shell.js";
import { startNotes, workdirError } from "./start-problem.js";

/** Said once in the notes of the first result. */
const note =
  "There is no bash 4.1 or newer in this sandbox, so each command runs in a new `sh`: the directory is remembered, " +
  "what a command exports, defines or sets is not.";

/**
 * For sandboxes without bash: one `sh` a command. Remembers nothing but the directory, and can end a command only as far
 * as the transport's own kill reaches.
 */
export class OneShotShell {
  readonly #options: WarmShellOptions;
  readonly #facts: ShFacts;
  readonly #running = new Set<OneShotProcess>();
  readonly #imported = new Map<string, ShellStateSnapshot>();
  #noted = false;

  constructor(options: WarmShellOptions, facts: ShFacts) {
    this.#options = options;
    this.#facts = facts;
  }

  /** Runs one command to its end. */
  async execute(
    script: string,
    command: EnvironmentExecuteOptions,
    generation: number,
  ): Promise<CommandResult> {
    const began = performance.now();
    const now = (): number => performance.now() - began;
    if (command.signal?.aborted === true) return notStartedResult(command, undefined, generation, now());
    const nonce = makeNonce();
    const directory = this.#startDirectory(command);
    const file = `${this.#facts.temp}/talaria-${randomBytes(9).toString("hex")}`;
    const env = this.#imported.get(command.shellId ?? "default")?.env ?? {};
    let failure: { readonly error: unknown } | undefined;
    const fail = (error: unknown): void => {
      failure ??= { error };
      void process.stop("cancelled", 0);
    };
    const process = await OneShotProcess.start(
      this.#options.spawn,
      oneShotScript({ script, command, env, directory, file, nonce: nonce.toString("latin1") }),
      command,
      (error) => fail(error),
    );
    const connectMs = now();
    this.#running.add(process);
    let firstByteMs: number | null = null;
    const { defaults, spillDirectory } = this.#options;
    const output = new CommandOutput({
      maxOutputBytes: command.maxOutputBytes ?? defaults.maxOutputBytes,
      separate: command.separate === true,
      spillDirectory: command.spill === false ? undefined : spillDirectory,
      onOutput: command.onOutput,
      onFailure: fail,
      redact: command.redact,
    });
    const timeoutMs = command.timeoutMs ?? defaults.timeoutMs;
    const end = await process.run(
      nonce,
      timeoutMs,
      command.killGraceMs ?? defaults.killGraceMs,
      (stream, bytes) => {
        firstByteMs ??= now();
        return output.take(stream, bytes);
      },
    );
    const exitMs = now();
    this.#running.delete(process);
    if (process.leftFiles) await this.#remove(file);
    if (failure !== undefined) throw callerError(failure.error);
    if (end.problem !== undefined) throw workdirError(command, directory, end.problem);
    const outcome =
      end.stopped === undefined ? outcomeOf(end.exit, end.status) : stoppedOutcome(end.stopped, timeoutMs);
    const fields = await output.finish();
    return {
      outcome,
      exitCode: exitCodeOf(outcome),
      ...fields,
      cwd: asSandboxPath(fromShellBytes(end.cwd ?? directory)),
      cwdObserved: end.cwd !== undefined,
      generation,
      notes: [...this.#notes(), ...startNotes(directory, end.adjustedStart)],
      timing: { queuedMs: 0, connectMs, firstByteMs, exitMs, drainedMs: now() },
    };
  }

  /** Takes the variables of a session. The rest of its state has no place in a shell that lives for one command. */
  importState(snapshot: ShellStateSnapshot, shellId: string): void {
    this.#imported.set(shellId, snapshot);
  }

  exportState(shellId: string): ShellStateSnapshot {
    const env = this.#imported.get(shellId)?.env ?? {};
    return { env, functions: {}, aliases: {}, shopt: {}, options: {}, umask: null };
  }

  /** Ends what runs. */
  async close(): Promise<void> {
    await Promise.all([...this.#running].map((process) => process.stop("cancelled", 0)));
  }

  #startDirectory(command: EnvironmentExecuteOptions): string {
    const path = command.start?.path ?? null;
    if (path === null) return this.#facts.cwd;
    return path === "~" ? this.#facts.home : toShellBytes(path);
  }

  async #remove(file: string): Promise<void> {
    const rm = await this.#options.spawn(["rm", "-f", file], {});
    rm.stdout.resume();
    rm.stderr.resume();
    rm.stdin.end();
    await rm.exit;
  }

  #notes(): readonly string[] {
    if (this.#noted) return [];
    this.#noted = true;
    return [note];
  }
}

function stoppedOutcome(cause: "timedOut" | "cancelled", timeoutMs: number): Outcome {
  const report = { killed: "unverified", survivors: [] } as const;
  return cause === "timedOut" ? { kind: "timedOut", timeoutMs, ...report } : { kind: "cancelled", ...report };
}

/** The transport's own status counts; the one from the script's trap stands in where the transport has none. */
function outcomeOf(exit: ProcessExit, status: number | undefined): Outcome {
  switch (exit.kind) {
    case "signaled":
      return { kind: "signaled", signal: exit.signal, signalNumber: exit.signalNumber };
    case "exited":
      return status === undefined && exit.code > 128
        ? { kind: "signaled", signal: signalName(exit.code - 128), signalNumber: exit.code - 128 }
        : { kind: "exited", code: exit.code };
    case "lost":
      return status === undefined ? { kind: "lost", reason: exit.reason } : { kind: "exited", code: status };
  }
}

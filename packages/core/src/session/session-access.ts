import type { TerminalEnvironment } from "../environment/environment.js";
import type { CommandResult } from "../environment/execute-result.js";
import type { SandboxAccess, ScriptOptions } from "../environment/sandbox-access.js";
import type { SandboxProcess } from "../environment/sandbox-process.js";
import { ClosedError } from "../errors/errors.js";
import type { ToolEvent } from "../environment/tool-event.js";
import type { ByteFilter } from "../secrets/stream-redactor.js";
import { MountTable } from "../workdir/mount-table.js";
import type { SandboxPath } from "../workdir/paths.js";
import type { CallSignals } from "./call-signals.js";
import type { SessionCommands } from "./session-commands.js";
import type { Admitted, SessionOversight } from "./session-oversight.js";
import type { SessionSpawnOptions } from "./session-options.js";

const defaultAnswerBytes = 1024 * 1024;

/** What a session lends to its tools. */
export interface AccessParts {
  readonly sessionName: string;
  readonly commands: SessionCommands;
  readonly calls: CallSignals;
  /** Throws ClosedError after `close()`. */
  readonly assertOpen: (operation: string) => void;
  readonly home: () => Promise<SandboxPath>;
  readonly oversight: SessionOversight;
  /** What is done before a command that the policy has admitted. */
  readonly prepare: (signal: AbortSignal | undefined) => Promise<unknown> | undefined;
}

/** A session as its own tools (files, jobs, transfers) see it. */
export class SessionAccess implements SandboxAccess {
  readonly backend: string;
  readonly environment: TerminalEnvironment;
  readonly sessionName: string;
  readonly #parts: AccessParts;

  constructor(parts: AccessParts) {
    this.environment = parts.commands.environment;
    this.backend = this.environment.backend;
    this.sessionName = parts.sessionName;
    this.#parts = parts;
  }

  async run(script: string, options: ScriptOptions = {}): Promise<CommandResult> {
    this.#parts.assertOpen("execute");
    const { shell = "own", maxOutputBytes = defaultAnswerBytes, separate = true, signal, ...rest } = options;
    const { commands, calls } = this.#parts;
    return calls.run(signal, async (callSignal) => {
      const call = { ...rest, maxOutputBytes, separate, spill: false };
      if (shell === "own") {
        const answer = await commands.ask(script, { ...call, signal: callSignal });
        // Without this a tool would take it for a fault of the sandbox.
        if (answer.outcome.kind === "cancelled" && callSignal.reason instanceof ClosedError)
          throw callSignal.reason;
        return answer;
      }
      const { result, notes } = await commands.execute(script, call, callSignal);
      for (const note of notes) commands.note(note);
      return result;
    });
  }

  async spawn(argv: readonly string[], options: SessionSpawnOptions = {}): Promise<SandboxProcess> {
    this.#parts.assertOpen("spawn");
    return this.#parts.commands.spawn(argv, options);
  }

  home(): Promise<SandboxPath> {
    return this.#parts.home();
  }

  toSandboxPath(path: string): string {
    return new MountTable(this.environment.mounts).toSandbox(path) ?? path;
  }

  async admit(command: string, options: Admitted = {}): Promise<readonly string[]> {
    const notes = await this.#parts.oversight.admit(command, options);
    await this.#parts.prepare(options.signal);
    return notes;
  }

  report(event: ToolEvent): void {
    this.#parts.oversight.report(event);
  }

  redact(text: string): string {
    return this.#parts.oversight.redact(text);
  }

  outputFilter(): ByteFilter | undefined {
    return this.#parts.oversight.outputFilter();
  }
}

import { randomBytes, randomUUID } from "node:crypto";
import {
  ClosedError,
  EnvironmentConnectionError,
  UnsupportedCapabilityError,
  WorkdirError,
} from "../errors/errors.js";
import { TalariaError } from "../errors/talaria-error.js";
import type { Mount } from "../workdir/mount-table.js";
import { asSandboxPath, type SandboxPath } from "../workdir/paths.js";
import type { Capability } from "./capabilities.js";
import { checkExecuteArguments } from "./check-execute-arguments.js";
import type { CleanupReport, MinimalEnvironment, TerminalEnvironment } from "./environment.js";
import type { EnvironmentExecuteOptions, StartDirectory } from "./execute-options.js";
import type { CommandResult, Truncation } from "./execute-result.js";
import { checkMinimalAnswer, type MinimalAnswer } from "./minimal-answer.js";
import { minimalScript, readMinimalReport } from "./minimal-script.js";
import { MinimalRun, type RunEnd } from "./minimal-run.js";
import { directoryOf, outcomeOfMinimal } from "./minimal-outcome.js";
import { exitCodeOf } from "./outcome.js";
import { OutputCapture } from "./output-capture.js";
import { defaultSpillDirectory, SpillWriter } from "./spill-file.js";
import { filteredOutput } from "../secrets/output-filter.js";

export interface WrapMinimalOptions {
  /** The backend's name. */
  readonly backend: string;
  /** Default timeout of a command. Default 180,000 ms. */
  readonly timeoutMs?: number | undefined;
  /** Host folder for output that is not kept in memory. Default: private, under the system's temporary folder. */
  readonly spillDirectory?: string | undefined;
}

const defaultTimeoutMs = 180_000;
const defaultMaxOutputBytes = 200_000;
const defaultKillGraceMs = 2000;

/** Whether an environment is the smallest kind, which core has to complete. */
export function isMinimalEnvironment(
  environment: TerminalEnvironment | MinimalEnvironment,
): environment is MinimalEnvironment {
  return !("generation" in environment && "backend" in environment);
}

/**
 * Makes a full environment of `{ execute, cleanup }` (SPEC 3.13): the cwd is learned in-band, variables of a call and its
 * start directory are honoured, both streams are merged in the sandbox, the time is kept here too. Commands run one at a
 * time and remember nothing but what the session knows. What needs more is an UnsupportedCapabilityError.
 */
export class WrappedEnvironment implements TerminalEnvironment {
  readonly backend: string;
  readonly id: string;
  readonly generation = 1;
  readonly hasHostPaths: boolean;
  readonly mounts: readonly Mount[];
  readonly #inner: MinimalEnvironment;
  readonly #options: WrapMinimalOptions;
  #queue: Promise<unknown> = Promise.resolve();
  #cleanup: Promise<CleanupReport> | undefined;

  constructor(inner: MinimalEnvironment, options: WrapMinimalOptions) {
    this.#inner = inner;
    this.#options = options;
    this.backend = options.backend;
    this.id = typeof inner.id === "string" && inner.id !== "" ? inner.id : randomUUID();
    this.hasHostPaths = inner.hasHostPaths === true;
    this.mounts = inner.mounts ?? [];
  }

  async execute(command: string, options: EnvironmentExecuteOptions = {}): Promise<CommandResult> {
    if (this.#cleanup !== undefined) {
      throw new ClosedError(`The environment of "${this.backend}" is closed.`, {
        backend: this.backend,
        operation: "execute",
      });
    }
    checkExecuteArguments(command, options);
    this.#refuseUnsupported(options);
    const start = options.start ?? { path: null, ifMissing: "fail" };
    const nonce = `talaria-${randomBytes(16).toString("hex")}`;
    const script = minimalScript(command, nonce, start, options.env ?? {});
    const run = new MinimalRun({
      timeoutMs: options.timeoutMs ?? this.#options.timeoutMs ?? defaultTimeoutMs,
      killGraceMs: options.killGraceMs ?? defaultKillGraceMs,
      signal: options.signal,
      forceSignal: options.forceSignal,
    });
    const turn = this.#queue.then(() => run.start((settings) => this.#inner.execute(script, settings)));
    this.#queue = turn;
    // Who cancels while others are at work does not have to wait for them.
    const end = await Promise.race([turn, run.cancelledInQueue]);
    run.forget();
    return this.#finish(end, run, start, nonce, options);
  }

  cleanup(): Promise<CleanupReport> {
    this.#cleanup ??= (async () => {
      await this.#inner.cleanup();
      return { left: [] };
    })();
    return this.#cleanup;
  }

  /** Asks the shell. Throws WorkdirError when it has no home that can be entered. */
  async home(): Promise<SandboxPath> {
    return (await this.execute(":", { start: { path: "~", ifMissing: "fail" } })).cwd;
  }

  async capabilities(): Promise<readonly Capability[]> {
    return [];
  }

  async #finish(
    end: RunEnd,
    run: MinimalRun,
    start: StartDirectory,
    nonce: string,
    options: EnvironmentExecuteOptions,
  ): Promise<CommandResult> {
    if (end.kind === "failed") throw this.#connectionError(end.error);
    const answer = this.#answerOf(end);
    const report = readMinimalReport(answer?.output ?? "", nonce);
    if (report.failedToEnter) throw this.#workdirError(start);
    const outcome = outcomeOfMinimal(end, answer, report, run.timeoutMs);
    const bytes = filteredOutput(Buffer.from(report.output, "utf8"), options.redact);
    if (bytes.length > 0) await options.onOutput?.({ stream: "output", bytes });
    const captured = await this.#capture(bytes, options);
    const began =
      directoryOf(report.start) ?? (start.path?.startsWith("/") ? asSandboxPath(start.path) : undefined);
    const ended = directoryOf(report.end?.cwd);
    return {
      outcome,
      exitCode: exitCodeOf(outcome),
      ...captured,
      ordered: true,
      cwd: ended ?? began ?? asSandboxPath("/"),
      cwdObserved: ended !== undefined,
      generation: this.generation,
      notes: report.isAdjusted
        ? [
            `The directory ${start.path} does not exist or cannot be entered: the command started in ${began}.`,
          ]
        : [],
      timing: run.timing(bytes.length > 0),
    };
  }

  #answerOf(end: RunEnd): MinimalAnswer | undefined {
    if (end.kind === "answered") return checkMinimalAnswer(this.backend, end.answer);
    if (!("answer" in end) || end.answer === undefined) return undefined;
    try {
      return checkMinimalAnswer(this.backend, end.answer);
    } catch {
      // What comes after the time is up may be anything: the outcome is known without it.
      return undefined;
    }
  }

  async #capture(
    bytes: Buffer,
    { maxOutputBytes = defaultMaxOutputBytes, spill: isSpilled = true }: EnvironmentExecuteOptions,
  ): Promise<{ output: string; outputBytes: Uint8Array; truncated?: Truncation }> {
    const capture = new OutputCapture(maxOutputBytes);
    capture.push(bytes);
    const { text, bytes: outputBytes, totalBytes, droppedBytes } = capture.finish();
    if (droppedBytes === 0) return { output: text, outputBytes };
    if (!isSpilled) return { output: text, outputBytes, truncated: { totalBytes, droppedBytes } };
    const writer = new SpillWriter(this.#options.spillDirectory ?? defaultSpillDirectory());
    await writer.write(bytes);
    const spill = await writer.finish();
    const truncated =
      spill === undefined ? { totalBytes, droppedBytes } : { totalBytes, droppedBytes, spill };
    return { output: text, outputBytes, truncated };
  }

  #refuseUnsupported({ stdin, separate, user }: EnvironmentExecuteOptions): void {
    const asked: readonly [capability: Capability, isAsked: boolean, what: string][] = [
      ["stdin", stdin !== undefined, "standard input for a command"],
      ["separateStreams", separate === true, "stdout and stderr apart"],
      ["user", user !== undefined, "another account"],
    ];
    for (const [capability, isAsked, what] of asked) {
      if (!isAsked) continue;
      throw new UnsupportedCapabilityError(
        capability,
        `The environment of "${this.backend}" does not have the capability "${capability}" (${what}): it offers execute and cleanup only.`,
        {
          backend: this.backend,
          operation: "execute",
          hint: "Leave the option out, or use a backend that has it: local (but for other accounts), docker, ssh.",
        },
      );
    }
  }

  #workdirError({ path, relative }: StartDirectory): WorkdirError {
    const asked = relative === undefined ? String(path) : `${path ?? "."}/${relative}`;
    return new WorkdirError(asked, `The directory "${asked}" does not exist or cannot be entered.`, {
      backend: this.backend,
      operation: "execute",
      hint: "Create it first, or start the command elsewhere.",
    });
  }

  #connectionError(error: unknown): TalariaError {
    if (TalariaError.isInstance(error)) return error;
    const why = error instanceof Error ? error.message : String(error);
    return new EnvironmentConnectionError(
      `The environment of "${this.backend}" could not run the command: ${why}`,
      {
        backend: this.backend,
        operation: "execute",
        retryHint: "Whether the command ran is not known: look before it is run again.",
        cause: error,
      },
    );
  }
}

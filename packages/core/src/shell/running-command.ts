import type { EnvironmentExecuteOptions } from "../environment/execute-options.js";
import type { KillReport } from "../environment/outcome.js";
import type { Channel, ChannelAnswer } from "./channel.js";
import { callerError } from "./caller-error.js";
import { CommandOutput } from "./command-output.js";
import { feedStdin } from "./command-stdin.js";
import type { ControlPool } from "./control-pool.js";
import type { ChannelRequest } from "./request.js";

/** How the command came to its end: by itself, or because it was ended. */
export type CommandEnd =
  | { readonly kind: "answer"; readonly answer: ChannelAnswer }
  | {
      readonly kind: "stopped";
      readonly cause: "timedOut" | "cancelled";
      readonly report: KillReport;
      readonly exitAt: number;
    };

export interface RunningCommandOptions {
  readonly timeoutMs: number;
  readonly killGraceMs: number;
  readonly maxOutputBytes: number;
  readonly spillDirectory: string;
  /** Milliseconds since `execute` was called. */
  readonly now: () => number;
}

/** A command that runs this long gets a control shell ready, so that it could be ended even if no process can start. */
const prepareControlMs = 250;
/** How long the last output may take to arrive after a kill. */
const drainAfterKillMs = 250;

/** One command on one channel, from submission to its last byte. */
export class RunningCommand {
  readonly output: CommandOutput;
  firstByteAt: number | null = null;
  readonly #channel: Channel;
  readonly #control: ControlPool;
  readonly #command: EnvironmentExecuteOptions;
  readonly #options: RunningCommandOptions;
  #settle: (end: CommandEnd) => void = () => {};
  #stopping = false;
  #ended = false;
  #onEnded: () => void = () => {};
  /** An error of the caller's own code: its output callback or its stdin source. */
  #failure: { readonly error: unknown } | undefined;

  constructor(
    channel: Channel,
    control: ControlPool,
    command: EnvironmentExecuteOptions,
    options: RunningCommandOptions,
  ) {
    this.#channel = channel;
    this.#control = control;
    this.#command = command;
    this.#options = options;
    this.output = new CommandOutput({
      maxOutputBytes: options.maxOutputBytes,
      separate: command.separate === true,
      spillDirectory: command.spill === false ? undefined : options.spillDirectory,
      onOutput: command.onOutput,
      onFailure: (error) => this.#fail(error),
      redact: command.redact,
    });
  }

  /** Submits the request and waits for the end. Throws when the caller's own callback or stdin source failed. */
  async run(request: ChannelRequest): Promise<CommandEnd> {
    const { signal, stdin } = this.#command;
    const { timeoutMs, now } = this.#options;
    const prepareMs = Math.min(prepareControlMs, timeoutMs / 2);
    let timer = setTimeout(() => {
      this.#control.prepare();
      timer = setTimeout(() => void this.#stop("timedOut"), timeoutMs - prepareMs);
    }, prepareMs);
    const onAbort = (): void => void this.#stop("cancelled");
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      const end = await new Promise<CommandEnd>((resolve) => {
        this.#settle = resolve;
        const answered = this.#channel.run(request, (stream, bytes) => this.#take(stream, bytes), now);
        void answered.then((answer) => {
          if (!this.#stopping) resolve({ kind: "answer", answer });
        });
        if (stdin !== undefined) {
          const ended = new Promise<void>((tell) => (this.#onEnded = tell));
          feedStdin(this.#channel, stdin, ended).catch((error: unknown) => this.#fail(error));
        }
      });
      if (this.#failure !== undefined) throw callerError(this.#failure.error);
      return end;
    } finally {
      this.#ended = true;
      this.#onEnded();
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  /** Ends the command, which is then `cancelled`. Resolves when it has ended. */
  async cancel(): Promise<void> {
    await this.#stop("cancelled", 0);
  }

  #take(stream: "stdout" | "stderr", bytes: Buffer): Promise<void> | undefined {
    this.firstByteAt ??= this.#options.now();
    return this.output.take(stream, bytes);
  }

  #fail(error: unknown): void {
    if (this.#ended) return;
    this.#failure ??= { error };
    void this.#stop("cancelled");
  }

  async #stop(cause: "timedOut" | "cancelled", grace = this.#options.killGraceMs): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    this.#channel.expectKill();
    const { forceSignal } = this.#command;
    const onForce = (): void => void this.#control.end(this.#channel, 0);
    forceSignal?.addEventListener("abort", onForce, { once: true });
    const graceMs = forceSignal?.aborted === true ? 0 : grace;
    const report = await endChannel(this.#channel, this.#control, graceMs);
    forceSignal?.removeEventListener("abort", onForce);
    const exitAt = this.#options.now();
    await this.#channel.drained(drainAfterKillMs);
    this.#channel.detach();
    this.#settle({ kind: "stopped", cause, report, exitAt });
  }
}

/** Ends all that a channel runs. Without a control shell the transport's own kill is all there is, and proves nothing. */
export async function endChannel(
  channel: Channel,
  control: ControlPool,
  graceMs: number,
): Promise<KillReport> {
  const report = await control.end(channel, graceMs);
  if (report !== undefined) return report;
  await channel.killTransport().catch(() => {});
  return { killed: "unverified", survivors: [] };
}

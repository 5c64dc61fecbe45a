import { defaultSpillDirectory } from "../environment/spill-file.js";
import { exitCodeOf, type KillReport, type Outcome } from "../environment/outcome.js";
import type { StdinSource } from "../environment/execute-options.js";
import { InvalidArgumentError, UnsupportedCapabilityError } from "../errors/errors.js";
import { callerError } from "../shell/caller-error.js";
import { CommandOutput } from "../shell/command-output.js";
import { signalNumber } from "../shell/signal-names.js";
import { asSandboxPath } from "../workdir/paths.js";
import { adoptState, leaveState } from "./adopt-state.js";
import { followLog } from "./follow.js";
import type { Job } from "./job.js";
import { newJobId } from "./job-id.js";
import type { JobInfo } from "./job-info.js";
import type { SessionJobs } from "./session-jobs.js";
import type { FinishedCommand, YieldedCommand, YieldingCommandOptions } from "./yield-options.js";

const defaultTimeoutMs = 180_000;
const defaultMaxOutputBytes = 200_000;

/** Why a call returned before its command ended by itself. */
type Interruption = "yieldAfterMs" | "yieldAfterSilenceMs" | "timedOut" | "cancelled" | "failed";

/** What a command writes until its call returns. */
class RunningOutput {
  readonly output: CommandOutput;
  position = 0;
  firstByteMs: number | null = null;
  lastByteAt = performance.now();
  failure: { readonly error: unknown } | undefined;

  constructor(jobs: SessionJobs, options: YieldingCommandOptions, onFailure: () => void) {
    this.output = new CommandOutput({
      maxOutputBytes: options.maxOutputBytes ?? defaultMaxOutputBytes,
      separate: false,
      spillDirectory: options.spill === false ? undefined : defaultSpillDirectory(),
      onOutput: options.onOutput,
      onFailure: (error) => {
        this.failure ??= { error };
        onFailure();
      },
    });
    this.#filter = jobs.journal.access.outputFilter();
  }

  readonly #filter: ReturnType<SessionJobs["journal"]["access"]["outputFilter"]>;

  async take(bytes: Uint8Array, beganAt: number): Promise<void> {
    this.lastByteAt = performance.now();
    this.firstByteMs ??= this.lastByteAt - beganAt;
    this.position += bytes.length;
    const raw = Buffer.from(bytes);
    for (const piece of this.#filter?.push(raw) ?? [raw]) await this.output.take("stdout", piece);
  }

  async finish(): Promise<Awaited<ReturnType<CommandOutput["finish"]>>> {
    for (const piece of this.#filter?.flush() ?? []) await this.output.take("stdout", piece);
    const fields = await this.output.finish();
    if (this.failure !== undefined) throw callerError(this.failure.error);
    return fields;
  }
}

/**
 * Runs a command as a job from its start. One that ends in time gives an ordinary result, and what it changed in its shell
 * is taken over into the session; one that does not is given back as the job it is, and goes on. With `key`, a second call
 * gives the first run's result; what that run changed was taken over by its own call. Throws as `execute` does, and
 * JobError for a key of another command.
 */
export async function executeYielding(
  jobs: SessionJobs,
  command: string,
  options: YieldingCommandOptions,
): Promise<FinishedCommand | YieldedCommand> {
  checkOptions(jobs, options);
  const beganAt = performance.now();
  const { journal } = jobs;
  const { access } = journal;
  const id = newJobId(options.key);
  const temp = await access.environment.tempDir?.();
  const record = `${temp ?? (await journal.place()).folder}/job-${id}.record`;
  const started = await jobs.launch(command, {
    workdir: options.workdir,
    env: options.env,
    key: options.key,
    stdin: options.stdin === undefined ? "closed" : "open",
    signal: options.signal,
    adopt: record,
    id,
  });
  const connectMs = performance.now() - beganAt;
  const job = await jobs.get(id);
  const watch = new Interruptions(options, beganAt);
  const output = new RunningOutput(jobs, options, () => watch.interrupt("failed"));
  if (options.stdin !== undefined && started.isNew) void feed(job, options.stdin, watch);
  const following = new AbortController();
  const reading = (async () => {
    for await (const { bytes } of followLog(journal, jobs.watcher, id, { signal: following.signal })) {
      watch.heard();
      await output.take(bytes, beganAt);
    }
  })();
  let report: KillReport | undefined;
  let interruption: Interruption | undefined;
  try {
    interruption = await Promise.race([reading.then(() => undefined), watch.interrupted]);
    if (interruption === "yieldAfterMs" || interruption === "yieldAfterSilenceMs") {
      following.abort();
      await reading.catch(() => {});
      if (started.isNew) await leaveState(journal, id, record);
      return await yielded(jobs, job, output, interruption);
    }
    if (interruption !== undefined) {
      report = await job.stop({ graceMs: options.killGraceMs });
      await reading;
    }
  } catch (error) {
    following.abort();
    await reading.catch(() => {});
    if (started.isNew) await leaveState(journal, id, record).catch(() => {});
    throw error;
  } finally {
    watch.close();
  }
  const exitMs = performance.now() - beganAt;
  const info = await job.info();
  const fields = await output.finish();
  const outcome = outcomeOf(info, interruption, report, options);
  const adopted =
    started.state !== undefined && outcome.kind === "exited"
      ? await adoptState(journal, id, record, started.state)
      : undefined;
  if (adopted === undefined && started.isNew) await leaveState(journal, id, record);
  return {
    outcome,
    exitCode: exitCodeOf(outcome),
    ...fields,
    cwd: adopted?.cwd ?? asSandboxPath(info.cwd.startsWith("/") ? info.cwd : "/"),
    cwdObserved: adopted?.cwdObserved ?? false,
    generation: access.environment.generation,
    notes: [
      ...(started.isNew
        ? []
        : [`The command with this key was run before: this is the result of the job ${id}.`]),
      ...(adopted?.notes ?? []),
    ],
    timing: {
      queuedMs: 0,
      connectMs,
      firstByteMs: output.firstByteMs,
      exitMs,
      drainedMs: performance.now() - beganAt,
    },
    jobId: id,
  };
}

async function yielded(
  jobs: SessionJobs,
  job: Job,
  output: RunningOutput,
  why: "yieldAfterMs" | "yieldAfterSilenceMs",
): Promise<YieldedCommand> {
  const silentMs = Math.round(performance.now() - output.lastByteAt);
  const fields = await output.finish();
  const silent = silentMs < 1_000 ? "" : ` Its last output was ${Math.round(silentMs / 1_000)} s ago.`;
  jobs.journal.access.report({ kind: "job", operation: "yield", jobId: job.id });
  return {
    yielded: job,
    output: fields.output,
    outputBytes: fields.outputBytes,
    nextOffset: output.position,
    silentMs,
    notes: [
      `The command is still running (${why}) and goes on as the job ${job.id}.${silent} What it changes in its shell stays its own.`,
    ],
  };
}

/** What ends the waiting of a call: time, silence, its caller. */
class Interruptions {
  readonly interrupted: Promise<Interruption>;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #options: YieldingCommandOptions;
  readonly #onAbort = (): void => this.interrupt("cancelled");
  #settle: (why: Interruption) => void = () => {};
  #silence: NodeJS.Timeout | undefined;

  constructor(options: YieldingCommandOptions, beganAt: number) {
    this.#options = options;
    this.interrupted = new Promise((resolve) => (this.#settle = resolve));
    const { signal, timeoutMs = defaultTimeoutMs, yieldAfterMs } = options;
    const after = (ms: number, why: Interruption): void => {
      this.#timers.push(setTimeout(() => this.interrupt(why), Math.max(0, beganAt + ms - performance.now())));
    };
    after(timeoutMs, "timedOut");
    if (yieldAfterMs !== undefined) after(yieldAfterMs, "yieldAfterMs");
    if (signal?.aborted === true) this.interrupt("cancelled");
    signal?.addEventListener("abort", this.#onAbort, { once: true });
    this.heard();
  }

  interrupt(why: Interruption): void {
    this.#settle(why);
  }

  /** Output came: the silence begins anew. */
  heard(): void {
    const { yieldAfterSilenceMs } = this.#options;
    if (yieldAfterSilenceMs === undefined) return;
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.interrupt("yieldAfterSilenceMs"), yieldAfterSilenceMs);
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    clearTimeout(this.#silence);
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
  }
}

function outcomeOf(
  info: JobInfo,
  interruption: Interruption | undefined,
  report: KillReport | undefined,
  { timeoutMs = defaultTimeoutMs }: YieldingCommandOptions,
): Outcome {
  if (report !== undefined) {
    return interruption === "timedOut"
      ? { kind: "timedOut", timeoutMs, ...report }
      : { kind: "cancelled", ...report };
  }
  if (info.signal !== null) {
    return {
      kind: "signaled",
      signal: info.signal,
      signalNumber: signalNumber(info.signal) ?? (info.exitCode ?? 128) - 128,
    };
  }
  if (info.exitCode !== null) return { kind: "exited", code: info.exitCode };
  return {
    kind: "lost",
    reason: "the job's supervisor is gone without having written how the command ended",
  };
}

async function feed(job: Job, source: StdinSource, watch: Interruptions): Promise<void> {
  try {
    if (typeof source === "string" || source instanceof Uint8Array) await job.write(source);
    else for await (const piece of source) await job.write(piece);
    await job.closeStdin();
  } catch {
    // A command that ends before it has read all of it is no error. One that would wait for the rest must not.
    await job.closeStdin().catch(() => watch.interrupt("failed"));
  }
}

function checkOptions(jobs: SessionJobs, options: YieldingCommandOptions): void {
  const { backend } = jobs.journal.access;
  for (const name of ["yieldAfterMs", "yieldAfterSilenceMs", "timeoutMs"] as const) {
    const value = options[name];
    if (value === undefined || (Number.isFinite(value) && value > 0 && value < 2 ** 31)) continue;
    throw new InvalidArgumentError(
      name,
      `${name} is a number of milliseconds above 0, not ${String(value)}.`,
      {
        backend,
        operation: "execute",
        hint: "Leave it out for the default.",
      },
    );
  }
  const refused = options.separate === true ? "separate" : options.user === undefined ? undefined : "user";
  if (refused === undefined) return;
  throw new UnsupportedCapabilityError(
    refused === "user" ? "user" : "separateStreams",
    `A command that may go on as a job cannot be run with \`${refused}\`: its log has both streams, and it runs as the session does.`,
    {
      backend,
      operation: "execute",
      hint: `Leave out \`${refused}\`, or yieldAfterMs, yieldAfterSilenceMs and key.`,
    },
  );
}

import type { KillReport } from "../environment/outcome.js";
import type { SandboxAccess } from "../environment/sandbox-access.js";
import { JobError } from "../errors/errors.js";
import { shellQuote } from "../shell/quote.js";
import { checkStart } from "./check-start.js";
import { EventQueue } from "./event-queue.js";
import { Job } from "./job.js";
import type { JobEvent } from "./job-event.js";
import { checkJobId } from "./job-id.js";
import { hasEnded, type JobInfo } from "./job-info.js";
import type { JobStartOptions, JobStopOptions } from "./job-options.js";
import { JobWatcher } from "./job-watcher.js";
import { Journal } from "./journal.js";
import { defaultGraceMs, stopMarginMs } from "./stop-limits.js";
import { askToEndText } from "./stop-text.js";
import { Slots } from "./slots.js";
import { expireJobs, startJob, type StartedJob, type StartParts } from "./start-job.js";
import { watchPatterns } from "./watch-patterns.js";

/** Finished jobs of a session that are kept, besides the limit of 24 hours. */
const maxFinished = 64;
/** Starts after which old jobs are looked for again. */
const expireEvery = 32;
/** Each start takes a channel for some milliseconds: many at once would open many channels. */
const startsAtOnce = 6;
const stopsAtOnce = 8;

/** A job that was ended by `stopAll`, and what could be proven. */
export interface StoppedJob {
  readonly id: string;
  readonly report: KillReport;
}

/**
 * The jobs of a session: commands that outlive the call, the session and this process. Their journal is in the sandbox,
 * under the session's name, so that another process which opens a session of that name has them too. Given by
 * `session.jobs`.
 */
export class SessionJobs {
  readonly #access: SandboxAccess;
  readonly #journal: Journal;
  readonly #watcher: JobWatcher;
  readonly #events = new EventQueue();
  readonly #starts = new Slots(startsAtOnce);
  readonly #stops = new Slots(stopsAtOnce);
  readonly #closing = new AbortController();
  /** Jobs whose end is told of as an event. */
  readonly #announced = new Set<string>();
  #started = 0;

  /** @internal */
  constructor(access: SandboxAccess) {
    this.#access = access;
    this.#journal = new Journal(access);
    this.#watcher = new JobWatcher(this.#journal);
  }

  /**
   * Starts a command as a job, where the session stands and with its variables, functions and aliases; what it changes
   * stays its own. Resolves when its shell runs. Throws CommandDeniedError when it may not run, WorkdirError for a
   * directory that does not exist, UnsupportedCapabilityError for a terminal that cannot be had, JobError for a key that
   * belongs to another command.
   */
  async start(command: string, options: JobStartOptions = {}): Promise<Job> {
    const { id } = await this.launch(command, options);
    return this.#job(id);
  }

  /** All jobs the journal has, the newest first. One round trip. */
  async list(): Promise<readonly JobInfo[]> {
    const jobs = (await this.#journal.inspect()).map(({ info }) => info);
    return jobs.toSorted((one, other) => other.startedAt.getTime() - one.startedAt.getTime());
  }

  /** A job by its id, or by an unambiguous beginning of it. Throws JobError. One round trip. */
  async get(idOrPrefix: string): Promise<Job> {
    return this.#job(await this.#resolve(idOrPrefix));
  }

  /** Forgets a job that has ended, with its log; its key is free again. Throws JobError while it runs. */
  async remove(idOrPrefix: string): Promise<void> {
    const id = await this.#resolve(idOrPrefix);
    const { info } = await this.#journal.inspectOne(id);
    if (!hasEnded(info)) {
      throw new JobError("job_invalid", id, `The job "${id}" still runs.`, {
        backend: this.#access.backend,
        operation: "jobs.remove",
        hint: "Stop it first.",
      });
    }
    await this.#forget([id]);
  }

  /** Stops every job of the session that runs. */
  async stopAll(options: JobStopOptions = {}): Promise<readonly StoppedJob[]> {
    const { graceMs = defaultGraceMs, signal } = options;
    const ids = (await this.list()).filter((info) => !hasEnded(info)).map(({ id }) => id);
    if (ids.length > 1 && graceMs > 0) {
      const { folder } = await this.#journal.place(signal);
      const timeoutMs = graceMs + stopMarginMs;
      await this.#journal.run(askToEndText(`${folder}/jobs`, ids, graceMs), { signal, timeoutMs });
    }
    return Promise.all(
      ids.map((id) => this.#stops.run(async () => ({ id, report: await this.#job(id).stop(options) }))),
    );
  }

  /**
   * Ends and pattern matches of the session's jobs that were started or waited for here, from now on. Somebody who is
   * slow misses the oldest beyond 1,000.
   */
  events(options: { readonly signal?: AbortSignal | undefined } = {}): AsyncIterable<JobEvent> {
    return this.#events.listen(options.signal);
  }

  /** Ends what this process holds for jobs. The jobs themselves go on. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#events.close();
    await this.#watcher.close();
  }

  /** @internal Starts, for `start` and for commands that may yield. */
  async launch(command: string, options: StartParts): Promise<StartedJob> {
    // Before anybody is asked about it.
    checkStart(command, options);
    await this.#access.admit(command, { signal: options.signal, workdir: options.workdir });
    const started = await this.#starts.run(() => startJob(this.#journal, command, options));
    const { id, isNew } = started;
    if (isNew) this.#access.report({ kind: "job", operation: "start", jobId: id, command });
    if (options.signal?.aborted === true) {
      await this.#job(id).stop({ graceMs: 0 });
      options.signal.throwIfAborted();
    }
    const { watch = [] } = options;
    const watched =
      watch.length === 0
        ? Promise.resolve()
        : watchPatterns(this.#journal, this.#watcher, id, watch, this.#closing.signal, (event) =>
            this.#events.push(event),
          );
    // Where it takes asking again and again, only for somebody who listens.
    if (this.#access.environment.spawn !== undefined || this.#events.isHeard)
      void this.#announce(id, watched);
    if (this.#started++ % expireEvery === 0) void this.#expire();
    return started;
  }

  /** @internal */
  get journal(): Journal {
    return this.#journal;
  }

  /** @internal */
  get watcher(): JobWatcher {
    return this.#watcher;
  }

  #job(id: string): Job {
    return new Job(id, this.#journal, this.#watcher);
  }

  async #resolve(idOrPrefix: string): Promise<string> {
    checkJobId(idOrPrefix, this.#access.backend);
    const { folder } = await this.#journal.place();
    const { output } = await this.#journal.run(
      `cd ${shellQuote(`${folder}/jobs`)} 2>/dev/null && for id in ${idOrPrefix}*; do [ ! -d "$id" ] || echo "$id"; done\n:`,
    );
    const ids = output.split("\n").filter((id) => id !== "");
    if (ids.includes(idOrPrefix)) return idOrPrefix;
    const [id, ...others] = ids;
    if (id === undefined) throw this.#journal.unknown(idOrPrefix);
    if (others.length > 0) {
      throw new JobError(
        "job_ambiguous",
        idOrPrefix,
        `"${idOrPrefix}" is the beginning of ${ids.length} jobs: ${ids.slice(0, 5).join(", ")}.`,
        {
          backend: this.#access.backend,
          operation: "jobs.get",
          hint: "Give more of the id.",
        },
      );
    }
    return id;
  }

  /**
   * Tells of the end of a job, once, and after its matches. Somebody who listens or audits wants it; that it cannot be
   * watched is no error.
   */
  async #announce(id: string, watched: Promise<void>): Promise<void> {
    if (this.#announced.has(id)) return;
    this.#announced.add(id);
    try {
      await this.#watcher.watch(id, () => void watched.then(() => this.#tellEnd(id)));
    } catch {
      this.#announced.delete(id);
    }
  }

  async #tellEnd(id: string): Promise<void> {
    this.#announced.delete(id);
    try {
      const { info } = await this.#journal.inspectOne(id);
      this.#access.report({ kind: "job", operation: "end", jobId: id, exitCode: info.exitCode });
      this.#events.push({ kind: "end", jobId: id, info });
    } catch {
      // Removed by somebody, or its sandbox is gone: there is nothing to tell.
    }
  }

  async #expire(): Promise<void> {
    try {
      await expireJobs(this.#journal);
      const finished = (await this.list()).filter(hasEnded);
      await this.#forget(finished.slice(maxFinished).map(({ id }) => id));
    } catch {
      // What is old can be removed another time.
    }
  }

  async #forget(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const { folder } = await this.#journal.place();
    await this.#journal.run(`cd ${shellQuote(`${folder}/jobs`)} && rm -rf -- ${ids.join(" ")}\n:`);
  }
}

import { setMaxListeners } from "node:events";
import type { SandboxProcess } from "../environment/sandbox-process.js";
import { ClosedError } from "../errors/errors.js";
import type { Journal } from "./journal.js";
import { readJobEnd, type JobEnd } from "./read-inspection.js";
import { pollText, watcherText } from "./watcher-text.js";

/** `undefined`: the job is lost, its supervisor is gone without a word. */
export type EndListener = (end: JobEnd | undefined) => void;

const retryMs = 1_000;
const pollPauseMs = 200;

/**
 * Tells when jobs end: by one process held in the sandbox for all jobs of the session, started when somebody first
 * waits. Where none can be held, by asking.
 */
export class JobWatcher {
  readonly #journal: Journal;
  readonly #listeners = new Map<string, Set<EndListener>>();
  #process: SandboxProcess | undefined;
  #starting: Promise<void> | undefined;
  #polling = false;
  readonly #closing = new AbortController();
  #retry: NodeJS.Timeout | undefined;

  constructor(journal: Journal) {
    this.#journal = journal;
    // One for each who waits.
    setMaxListeners(0, this.#closing.signal);
  }

  /** Aborts with a ClosedError when the session closes: nobody is told of an end from then on. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /**
   * Calls back once, when the job has ended. Resolves when it is being watched: what has ended before that has called
   * back already. Returns what takes the listener back.
   */
  async watch(id: string, listener: EndListener): Promise<() => void> {
    const listeners = this.#listeners.get(id) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(id, listeners);
    const forget = (): void => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#listeners.delete(id);
    };
    try {
      await this.#ensure();
      await this.#look([id]);
    } catch (error) {
      forget();
      throw error;
    }
    return forget;
  }

  /** Ends the process, and all waiting for ends. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort(
      new ClosedError("The session was closed while a job was waited for. The job goes on.", {
        backend: this.#journal.access.backend,
        operation: "jobs",
        hint: "Open a session of the same name, and find the job by its id.",
      }),
    );
    clearTimeout(this.#retry);
    this.#listeners.clear();
    await this.#starting?.catch(() => {});
    const process = this.#process;
    this.#process = undefined;
    if (process === undefined) return;
    process.stdin.end();
    await process.kill("SIGTERM").catch(() => {});
  }

  /** Calls back for those that have ended by now. */
  async #look(ids: readonly string[]): Promise<void> {
    const found = await this.#journal.inspect(ids);
    for (const id of ids) {
      const job = found.find(({ info }) => info.id === id);
      if (job === undefined || job.info.state === "lost") this.#tell(id, undefined);
      else if (job.info.state !== "running") this.#tell(id, job.info);
    }
  }

  async #lookAtAll(): Promise<void> {
    if (this.#listeners.size > 0) await this.#look([...this.#listeners.keys()]);
  }

  #tell(id: string, end: JobEnd | undefined): void {
    const listeners = this.#listeners.get(id);
    this.#listeners.delete(id);
    for (const listener of listeners ?? []) listener(end);
  }

  async #ensure(): Promise<void> {
    if (this.#journal.access.environment.spawn === undefined) {
      if (!this.#polling) void this.#poll();
      return;
    }
    if (this.#process !== undefined) return;
    this.#starting ??= this.#start().finally(() => (this.#starting = undefined));
    await this.#starting;
  }

  async #start(): Promise<void> {
    const { access } = this.#journal;
    const { folder, shell } = await this.#journal.place();
    const process = await access.spawn([shell, "-c", watcherText(folder), "talaria-jobs"], { workdir: "/" });
    let text = "";
    const ready = new Promise<void>((resolve, reject) => {
      process.stdin.on("error", () => {});
      process.stderr.resume().on("error", () => {});
      process.stdout.on("error", () => {});
      process.stdout.on("data", (bytes: Buffer) => {
        text += bytes.toString("latin1");
        const lines = text.split("\n");
        text = lines.pop() ?? "";
        for (const line of lines) {
          if (line === "ready") resolve();
          else this.#onLine(line);
        }
      });
      void process.exit.then((exit) => {
        reject(new Error(`the watcher of jobs ended: ${exit.kind}`));
        if (this.#process === process) this.#onGone();
      });
    });
    await ready;
    this.#process = process;
  }

  #onLine(line: string): void {
    const [kind, id = "", ...rest] = line.split(" ");
    if (kind === "l") this.#tell(id, undefined);
    // A job whose folder somebody removed has no end that could be written.
    if (kind === ".") this.#lookAtAll().catch(() => {});
    const end = kind === "e" ? readJobEnd(rest.join(" ")) : undefined;
    if (end !== undefined) this.#tell(id, end);
  }

  /** Without it ends would be missed: another takes over, and looks at what ended in between. */
  #onGone(): void {
    this.#process = undefined;
    if (this.closing.aborted || this.#listeners.size === 0) return;
    this.#retry = setTimeout(() => {
      // Looked at first: where the journal itself is gone, no other can start.
      void this.#lookAtAll()
        .then(async () => {
          if (this.#listeners.size === 0) return;
          await this.#ensure();
          await this.#lookAtAll();
        })
        .catch(() => this.#onGone());
    }, retryMs);
    this.#retry.unref();
  }

  async #poll(): Promise<void> {
    this.#polling = true;
    try {
      while (!this.closing.aborted && this.#listeners.size > 0) {
        const { folder } = await this.#journal.place();
        const { output } = await this.#journal.run(pollText(folder, [...this.#listeners.keys()]));
        for (const line of output.split("\n")) this.#onLine(line);
        // Such a sandbox may do one thing at a time: others get their turn.
        await new Promise((resolve) => (this.#retry = setTimeout(resolve, pollPauseMs)));
      }
    } catch {
      // The sandbox does not answer: every one who waits learns it from a look of its own.
      for (const id of this.#listeners.keys()) this.#tell(id, undefined);
    } finally {
      this.#polling = false;
    }
  }
}

import type { KillReport } from "../environment/outcome.js";
import type { TerminalSize } from "../environment/sandbox-process.js";
import { InvalidArgumentError, JobError } from "../errors/errors.js";
import { signalNumber } from "../shell/signal-names.js";
import { checkSize } from "./check-start.js";
import { followLog, followShown } from "./follow.js";
import { hasEnded, type JobInfo } from "./job-info.js";
import { closeInput, resizeTerminal, writeInput } from "./job-input.js";
import type {
  JobChunk,
  JobFollowOptions,
  JobRead,
  JobReadOptions,
  JobStopOptions,
  JobWaitOptions,
  LogMatch,
  WaitForLogOptions,
} from "./job-options.js";
import type { JobWatcher } from "./job-watcher.js";
import type { Journal } from "./journal.js";
import { readKillReport } from "./read-kill-report.js";
import { readShown } from "./read-shown.js";
import { defaultGraceMs, stopMarginMs } from "./stop-limits.js";
import { signalText, stopText } from "./stop-text.js";
import { waitForEnd } from "./wait-for-end.js";
import { waitForLog } from "./wait-for-log.js";
import { waitForPort } from "./wait-for-port.js";

const endOfFile = Uint8Array.of(4);

/**
 * A command that outlives the call that started it. Made by `session.jobs`. It is known by its id, and what it says comes
 * from the journal in the sandbox, so that any number of these may stand for one job, in any number of processes.
 */
export class Job {
  /** 12 hexadecimal digits. */
  readonly id: string;
  readonly #journal: Journal;
  readonly #watcher: JobWatcher;
  /** Writes of this object go one after the other. */
  #writing: Promise<unknown> = Promise.resolve();

  /** @internal */
  constructor(id: string, journal: Journal, watcher: JobWatcher) {
    this.id = id;
    this.#journal = journal;
    this.#watcher = watcher;
  }

  /** What the journal says now. One round trip. Throws JobError when the journal no longer has it. */
  async info(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<JobInfo> {
    return (await this.#journal.inspectOne(this.id, options.signal)).info;
  }

  /**
   * Waits for its end, which is an event and no polling. When `timeoutMs` is over it resolves with what is known then:
   * `state` is `running`. Rejects with the signal's reason.
   */
  wait(options: JobWaitOptions = {}): Promise<JobInfo> {
    return waitForEnd(this.#journal, this.#watcher, this.id, options);
  }

  /**
   * Reads a piece of its log, both streams in the order they were written. A piece that would end within a secret is as
   * long as it takes to know. Throws JobError for an offset that is negative or beyond the end of the log.
   */
  async read(sinceOffset = 0, options: JobReadOptions = {}): Promise<JobRead> {
    const read = await readShown(this.#journal, this.id, sinceOffset, options);
    return { ...read, text: Buffer.from(read.bytes).toString("utf8") };
  }

  /**
   * Its output from an offset on, as it comes, until it has ended and all is read. A reader that is slow holds back the
   * sending, not the job. What processes left over by the job write after its end can be had by `read`.
   */
  follow(options: JobFollowOptions = {}): AsyncIterable<JobChunk> {
    const { access } = this.#journal;
    const chunks = followLog(this.#journal, this.#watcher, this.id, options);
    return access.outputFilter() === undefined ? chunks : followShown(chunks, () => access.outputFilter());
  }

  /**
   * Sends bytes to its standard input, in the order of the calls; a string as UTF-8. Resolves when the sandbox has taken
   * them, which waits while the job does not read. Throws JobError when nobody can read them.
   */
  write(data: string | Uint8Array, options: JobWaitOptions = {}): Promise<void> {
    const bytes = typeof data === "string" ? Buffer.from(data, "utf8") : data;
    if (!((bytes as unknown) instanceof Uint8Array)) return Promise.reject(notBytes(data));
    return this.#inTurn(async () => {
      const { spec } = await this.#journal.inspectOne(this.id, options.signal);
      if (spec.stdin === "closed") throw this.#notOpen();
      await writeInput(this.#journal, this.id, bytes, options);
    });
  }

  /** Ends its standard input, after what was written. With a terminal: sends the end-of-file character. Idempotent. */
  closeStdin(): Promise<void> {
    return this.#inTurn(async () => {
      const { spec, info } = await this.#journal.inspectOne(this.id);
      if (spec.stdin === "closed" || hasEnded(info)) return;
      await (spec.tty
        ? writeInput(this.#journal, this.id, endOfFile, {})
        : closeInput(this.#journal, this.id));
    });
  }

  /** Sends a signal (`SIGHUP` or `HUP`) to its process group. Throws JobError when it has ended. */
  async signal(name: string): Promise<void> {
    const short = typeof name === "string" ? name.replace(/^SIG/, "") : "";
    if (!/^[A-Z0-9]+$/.test(short) || signalNumber(`SIG${short}`) === undefined) {
      throw new InvalidArgumentError("name", `${JSON.stringify(name)} is no signal.`, {
        operation: "jobs.signal",
        hint: "Give a name as SIGHUP or HUP.",
      });
    }
    const { access } = this.#journal;
    const { output } = await this.#journal.run(signalText(await this.#journal.folderOf(this.id), short));
    const answer = output.trim();
    if (answer === "gone") throw this.#journal.unknown(this.id);
    if (answer !== "sent") throw this.#ended("jobs.signal");
    access.report({ kind: "job", operation: "signal", jobId: this.id });
  }

  /**
   * Ends all that it started, by TERM, after the grace by KILL, and says what could be proven. Resolves when the journal
   * has its end. What an ended job left running is ended as well. It stays in the journal, with its log.
   */
  async stop({ graceMs = defaultGraceMs, signal }: JobStopOptions = {}): Promise<KillReport> {
    if (!Number.isFinite(graceMs) || graceMs < 0) {
      throw new InvalidArgumentError(
        "graceMs",
        `graceMs is a number of milliseconds from 0, not ${String(graceMs)}.`,
        {
          operation: "jobs.stop",
          hint: "Give 0 to kill at once.",
        },
      );
    }
    const place = await this.#journal.place(signal);
    const { access } = this.#journal;
    const { outputBytes } = await this.#journal.run(
      stopText(place, await this.#journal.folderOf(this.id), graceMs),
      {
        timeoutMs: graceMs + stopMarginMs,
        signal,
      },
    );
    const report = readKillReport(Buffer.from(outputBytes).toString("latin1"));
    if (report === undefined) throw this.#journal.unknown(this.id);
    access.report({ kind: "job", operation: "stop", jobId: this.id });
    return report;
  }

  /** Changes the size of its terminal, of which the kernel tells it (WINCH). Throws JobError when it has none. */
  async resize(size: TerminalSize): Promise<void> {
    checkSize(size);
    const { spec } = await this.#journal.inspectOne(this.id);
    if (!spec.tty) {
      throw new JobError("job_invalid", this.id, `The job "${this.id}" has no terminal.`, {
        backend: this.#journal.access.backend,
        operation: "jobs.resize",
        hint: "Start it with tty: { columns, rows }.",
      });
    }
    await resizeTerminal(this.#journal, this.id, size);
  }

  /**
   * Waits until something listens on a TCP port inside the sandbox, the job or another. Throws JobError when the job ends
   * first or the time is over.
   */
  waitForPort(port: number, options: JobWaitOptions = {}): Promise<void> {
    return waitForPort(this.#journal, this.id, port, options);
  }

  /**
   * Waits for a line of its log that holds the text or matches the expression; one that was written before counts. Throws
   * JobError, with the end of the log, when the job ends first or the time is over.
   */
  waitForLog(pattern: string | RegExp, options: WaitForLogOptions = {}): Promise<LogMatch> {
    return waitForLog(this.#journal, this.#watcher, this.id, pattern, options);
  }

  /**
   * Calls back once when it has ended, or soon when it has already. Returns what takes the listener back. Where the sandbox
   * cannot be asked it is not called.
   */
  onEnd(listener: (info: JobInfo) => void): () => void {
    const controller = new AbortController();
    this.wait({ signal: controller.signal }).then(
      (info) => {
        if (!controller.signal.aborted) listener(info);
      },
      () => {},
    );
    return () => controller.abort();
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#writing.then(work);
    this.#writing = turn.catch(() => {});
    return turn;
  }

  #ended(operation: string): JobError {
    return new JobError("job_ended", this.id, `The job "${this.id}" has ended.`, {
      backend: this.#journal.access.backend,
      operation,
      hint: "Look at its info for how.",
    });
  }

  #notOpen(): JobError {
    return new JobError(
      "job_invalid",
      this.id,
      `The job "${this.id}" was started with its standard input closed.`,
      {
        backend: this.#journal.access.backend,
        operation: "jobs.write",
        hint: 'Start it with stdin: "open", or with a tty.',
      },
    );
  }
}

function notBytes(data: unknown): InvalidArgumentError {
  return new InvalidArgumentError(
    "data",
    `What is written to a job is a text or bytes, not ${typeof data}.`,
    {
      operation: "jobs.write",
      hint: "Give a string or a Uint8Array.",
    },
  );
}

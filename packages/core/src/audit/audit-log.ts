import type { Redactor } from "../secrets/redactor.js";
import { AuditChain } from "./audit-chain.js";
import { entryMembers } from "./audit-entry.js";
import type { AuditedEnd, AuditedStart, AuditEvent, AuditOrigin } from "./audit-event.js";
import { AuditFiles } from "./audit-files.js";
import { flushAtExit, forgetAtExit } from "./exit-flush.js";

/** How a log is kept. */
export interface AuditLogOptions {
  /** The entries go to `<talariaHome>/audit`. */
  readonly talariaHome: string;
  /** `audit.enabled`. Default true. */
  readonly isEnabled?: boolean | undefined;
  /** `audit.max_file_mb` in bytes. Default 16 MiB. */
  readonly maxFileBytes?: number | undefined;
  /** `audit.max_files`. Default 8. */
  readonly maxFiles?: number | undefined;
  /** Takes secrets out of all texts. */
  readonly redactor: Pick<Redactor, "redact">;
  /** Told once when entries cannot be kept. Default: nobody. */
  readonly onWarning?: ((warning: string) => void) | undefined;
}

/** Entries are written together, this long after the first of them. */
const batchMs = 100;
/** What takes longer also gets an entry at its start: it may never come to its end. */
const startEntryMs = 2_000;
/** Entries that may wait to be written. Beyond it, when the disk does not keep up, the newest are counted and dropped. */
const mostWaiting = 10_000;
/** As much of a text as can matter is kept waiting. */
const longestWaitingText = 65_536;

interface WaitingEvent {
  readonly time: number;
  readonly event: AuditEvent;
}

/**
 * Writes what was done to `<TALARIA_HOME>/audit`, one line of JSON each, appended. Recording only puts the event in a
 * queue: redaction, hashing and writing happen later and together. What could not be written never fails a command.
 */
export class AuditLog {
  readonly #options: AuditLogOptions;
  readonly #files: AuditFiles;
  readonly #chain = new AuditChain();
  #waiting: WaitingEvent[] = [];
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #hasWarned = false;

  constructor(options: AuditLogOptions) {
    this.#options = options;
    this.#files = new AuditFiles(options);
  }

  get isEnabled(): boolean {
    return this.#options.isEnabled !== false;
  }

  /** Takes an event up. Returns at once and never throws. */
  record(event: AuditEvent): void {
    if (!this.isEnabled) return;
    if (this.#waiting.length >= mostWaiting) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push({ time: Date.now(), event: shortened(event) });
    if (this.#timer !== undefined) return;
    // Nobody stays alive for it: what still waits at the end of the process is written then.
    this.#timer = setTimeout(() => void this.#writeBatch(), batchMs).unref();
    flushAtExit(this);
  }

  /**
   * Says that a command begins. The returned function says how it ended, which makes its entry; one that runs for more
   * than two seconds gets an entry of `phase: "start"` before.
   */
  begin(origin: AuditOrigin, start: AuditedStart): (end: AuditedEnd) => void {
    if (!this.isEnabled) return () => {};
    const timer = setTimeout(() => {
      this.record({
        ...origin,
        ...start,
        phase: "start",
        outcome: "running",
        exitCode: null,
        durationMs: startEntryMs,
      });
    }, startEntryMs).unref();
    return (end) => {
      clearTimeout(timer);
      this.record({ ...origin, ...start, ...end });
    };
  }

  /** Resolves when all that was recorded before has been written, or has failed to be. */
  async flush(): Promise<void> {
    await this.#writeBatch();
  }

  /** Writes what waits and closes the file. Recording afterwards opens it again. */
  async close(): Promise<void> {
    await this.flush();
    await this.#files.close();
  }

  /** For the end of the process, where nothing can be waited for. @internal */
  flushNow(): void {
    const lines = this.#takeLines();
    if (lines.length === 0) return;
    try {
      this.#files.appendNow(lines);
    } catch (error) {
      this.#warn(error);
    }
  }

  #writeBatch(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    forgetAtExit(this);
    // One after the other: the lines' order is their chain's.
    this.#writing = this.#writing.then(async () => {
      const lines = this.#takeLines();
      if (lines.length === 0) return;
      try {
        await this.#files.append(lines);
      } catch (error) {
        this.#warn(error);
      }
    });
    return this.#writing;
  }

  #takeLines(): readonly string[] {
    const { redactor } = this.#options;
    const waiting = this.#waiting;
    this.#waiting = [];
    const lines = waiting.map(({ time, event }) =>
      this.#chain.line(
        time,
        entryMembers(event, (text) => redactor.redact(text)),
      ),
    );
    if (this.#dropped > 0) {
      lines.push(this.#chain.line(Date.now(), { kind: "gap", dropped: this.#dropped }));
      this.#dropped = 0;
    }
    return lines;
  }

  #warn(error: unknown): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const why = error instanceof Error ? error.message : String(error);
    this.#options.onWarning?.(
      `The audit in ${this.#files.folder} cannot be written (${why}): what is done is not recorded. ` +
        "Make room or correct the folder's permissions, or set audit.enabled to false.",
    );
  }
}

/** Without the parts of texts that no entry will show: what waits must not hold megabytes. */
function shortened<Event extends AuditEvent>(event: Event): Event {
  const isLong = Object.values(event).some(
    (value) => typeof value === "string" && value.length > longestWaitingText,
  );
  if (!isLong) return event;
  const short = Object.entries(event).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value.slice(0, longestWaitingText)] as const] : [],
  );
  return { ...event, ...Object.fromEntries(short) };
}

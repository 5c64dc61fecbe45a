import { formatBytes, formatSpan } from "./amounts.js";
import { visibleText } from "./visible-text.js";
import type { StreamWriter } from "./writer.js";

/** What is known of a transfer at one moment. */
export interface TransferState {
  readonly files: number;
  readonly bytes: number;
  /** Undefined where it is not known beforehand: a tree that is still being read. */
  readonly totalBytes?: number | undefined;
  /** The member under way. */
  readonly path?: string | undefined;
}

export interface DisplayOptions {
  readonly writer: StreamWriter;
  /** `bar`: one line of a terminal, drawn over. `lines`: a line every 2 s. `none`: nothing. */
  readonly form: "bar" | "lines" | "none";
  /** Width of the terminal. Default 80. */
  readonly columns?: number | undefined;
  /** The clock, for tests. Milliseconds. */
  readonly now?: (() => number) | undefined;
}

const barEveryMs = 100;
const lineEveryMs = 2_000;
/** A bar that comes and goes within this time would only flicker. */
const quietMs = 300;
/** Rate is that of the last seconds: an average since the start says little of a link that has slowed down. */
const rateWindowMs = 5_000;

/** Shows how a transfer goes: files, bytes, rate, time left. Draws on events alone; no timer runs. */
export class ProgressDisplay {
  readonly #writer: StreamWriter;
  readonly #form: DisplayOptions["form"];
  readonly #columns: number;
  readonly #now: () => number;
  readonly #startedAt: number;
  #shownAt: number;
  #samples: { readonly at: number; readonly bytes: number }[] = [];
  #isDrawn = false;

  constructor({ writer, form, columns = 80, now = () => performance.now() }: DisplayOptions) {
    this.#writer = writer;
    this.#form = form;
    this.#columns = columns;
    this.#now = now;
    this.#startedAt = now();
    this.#shownAt = this.#startedAt;
    this.#samples.push({ at: this.#startedAt, bytes: 0 });
  }

  /** Takes the state in, and shows it when it is time to. */
  show(state: TransferState): void {
    if (this.#form === "none") return;
    const now = this.#now();
    const every = this.#form === "bar" ? barEveryMs : lineEveryMs;
    if (now - this.#shownAt < every || now - this.#startedAt < quietMs) return;
    this.#shownAt = now;
    this.#samples.push({ at: now, bytes: state.bytes });
    while (this.#samples.length > 2 && now - (this.#samples[1]?.at ?? now) > rateWindowMs)
      this.#samples.shift();
    if (this.#form === "lines") {
      this.#writer.line(`talaria: ${this.#facts(state, now).join(", ")}`);
      return;
    }
    this.#isDrawn = true;
    void this.#writer.write(`\r${this.#bar(state, now)}\u001b[K`);
  }

  /** Takes the bar off the screen, so that what is said next has a line of its own. */
  end(): void {
    if (this.#isDrawn) void this.#writer.write("\r\u001b[K");
    this.#isDrawn = false;
  }

  /** Milliseconds since the transfer began. */
  get elapsedMs(): number {
    return this.#now() - this.#startedAt;
  }

  #facts({ files, bytes, totalBytes }: TransferState, now: number): string[] {
    const rate = this.#rate(bytes, now);
    const left = totalBytes === undefined || rate <= 0 ? undefined : ((totalBytes - bytes) / rate) * 1_000;
    return [
      `${files.toLocaleString("en-US")} ${files === 1 ? "file" : "files"}`,
      totalBytes === undefined ? formatBytes(bytes) : `${formatBytes(bytes)} of ${formatBytes(totalBytes)}`,
      `${formatBytes(Math.round(rate))}/s`,
      ...(left === undefined ? [] : [`${formatSpan(left)} left`]),
    ];
  }

  /** Bytes a second. */
  #rate(bytes: number, now: number): number {
    const [first] = this.#samples;
    const span = now - (first?.at ?? now);
    return span <= 0 ? 0 : ((bytes - (first?.bytes ?? 0)) * 1_000) / span;
  }

  #bar(state: TransferState, now: number): string {
    const facts = this.#facts(state, now).join("  ");
    const { totalBytes, bytes } = state;
    const share = totalBytes === undefined || totalBytes === 0 ? undefined : Math.min(1, bytes / totalBytes);
    const width = Math.min(30, this.#columns - facts.length - 10);
    const head =
      share === undefined || width < 5
        ? ""
        : `[${"#".repeat(Math.round(share * width)).padEnd(width, " ")}] ${String(Math.floor(share * 100)).padStart(3)}%  `;
    const room = this.#columns - 1 - head.length - facts.length - 2;
    const name = state.path === undefined ? "" : visibleText(state.path).replaceAll("\n", "\\n");
    const tail = room < 8 || name === "" ? "" : `  ${name.length > room ? `…${name.slice(1 - room)}` : name}`;
    return `${head}${facts}${tail}`.slice(0, this.#columns - 1);
  }
}

import { TalariaError } from "@talaria/core";
import type { Style } from "./style.js";
import { visibleText } from "./visible-text.js";
import type { StreamWriter } from "./writer.js";

/** How much is said on stderr: `-q` leaves only errors, `-v` adds how things went. */
export type Verbosity = "quiet" | "normal" | "verbose";

/** Everything Talaria says to a person. Always stderr: stdout carries data only. */
export class Messages {
  verbosity: Verbosity = "normal";
  readonly #out: StreamWriter;
  readonly #style: Style;
  /** Core tells some things twice: as they happen, and in the result they belong to. */
  readonly #said = new Set<string>();

  constructor(out: StreamWriter, style: Style) {
    this.#out = out;
    this.#style = style;
  }

  /** Something the reader should know. Silent with `-q`. */
  note(text: string): void {
    if (this.#isNews(text)) this.#out.line(`talaria: ${visibleText(text)}`);
  }

  /** Something that may be wrong. Silent with `-q`. */
  warning(text: string): void {
    if (this.#isNews(text))
      this.#out.line(`talaria: ${this.#style.warning("warning:")} ${visibleText(text)}`);
  }

  /** How things went. Only with `-v`. */
  detail(text: string): void {
    if (this.verbosity === "verbose") this.#out.line(this.#style.dim(`talaria: ${visibleText(text)}`));
  }

  /** Why Talaria failed, and what to do about it. Said whatever the verbosity. */
  error(error: unknown): void {
    this.#out.line(`${this.#style.bad("talaria:")} ${describe(error)}`);
    if (TalariaError.isInstance(error) && error.hint !== undefined)
      this.#out.line(`  hint: ${visibleText(error.hint)}`);
    if (this.verbosity === "verbose" && error instanceof Error) {
      for (
        let cause: unknown = error.cause;
        cause !== undefined;
        cause = cause instanceof Error ? cause.cause : undefined
      ) {
        this.#out.line(this.#style.dim(`  because: ${describe(cause)}`));
      }
    }
  }

  #isNews(text: string): boolean {
    if (this.verbosity === "quiet" || this.#said.has(text)) return false;
    this.#said.add(text);
    return true;
  }

  /** An error that has no error object. */
  problem(text: string, hint?: string): void {
    this.#out.line(`${this.#style.bad("talaria:")} ${visibleText(text)}`);
    if (hint !== undefined) this.#out.line(`  hint: ${visibleText(hint)}`);
  }
}

/** An error in one line. What is not a TalariaError is a fault of ours or of a plugin: its class is named too. */
function describe(error: unknown): string {
  return visibleText(textOf(error));
}

function textOf(error: unknown): string {
  if (TalariaError.isInstance(error)) return error.message;
  if (error instanceof Error) return `unexpected ${error.name}: ${error.message}`;
  return `unexpected failure: ${String(error)}`;
}

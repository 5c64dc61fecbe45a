import type { FileHunk } from "./file-hunk.js";

/** What a patch says about one file. */
export type PatchSection =
  | { readonly operation: "add"; readonly path: string; readonly text: string }
  | { readonly operation: "delete"; readonly path: string }
  | {
      readonly operation: "update";
      readonly path: string;
      readonly moveTo?: string | undefined;
      readonly hunks: readonly FileHunk[];
    };

/** The lines of a patch, and a reader's place among them. */
export class PatchLines {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(text: string) {
    const lines = text.replaceAll("\r\n", "\n").split("\n");
    if (lines.at(-1) === "") lines.pop();
    this.#lines = lines;
  }

  /** The next line, undefined after the last one. */
  get next(): string | undefined {
    return this.#lines[this.#at];
  }

  /** The line after the next one. */
  get afterNext(): string | undefined {
    return this.#lines[this.#at + 1];
  }

  /** Number of the next line, from 1. */
  get number(): number {
    return this.#at + 1;
  }

  take(): string {
    const line = this.next ?? "";
    this.#at += 1;
    return line;
  }

  /** Takes the next line if it begins so, and returns the rest of it. */
  takeAfter(beginning: string): string | undefined {
    return this.next?.startsWith(beginning) === true ? this.take().slice(beginning.length).trim() : undefined;
  }

  /** Lines that nothing is said in. */
  skipBlank(): void {
    while (this.next?.trim() === "") this.#at += 1;
  }
}

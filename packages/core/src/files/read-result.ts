import type { SandboxPath } from "../workdir/paths.js";

/** Options of `read`. */
export interface ReadFileOptions {
  /** First line of the window, from 1. Default 1. */
  readonly offset?: number | undefined;
  /** Most lines in the window. Default 2,000. */
  readonly limit?: number | undefined;
  /** Most bytes of text in the window, cut at the end of a line. Default 100,000; at most 16 MiB. */
  readonly maxBytes?: number | undefined;
  /** A longer line is cut here, and `cutLines` names it. Default 2,000; at most 1 MiB. */
  readonly maxLineBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type FileEncoding = "utf-8" | "utf-16le" | "utf-16be" | "latin-1";

/** How the lines of a text end. `none`: there is at most one line, without an end. */
export type LineEnding = "lf" | "crlf" | "cr" | "mixed" | "none";

export interface ImageFacts {
  /** `image/png` … */
  readonly mimeType: string;
  /** Pixels; absent where the first bytes of the file do not tell. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** A window of a file, with what is needed to go on reading and to write it back. */
export interface FileContent {
  /** The physical path: what a link leads to. */
  readonly path: SandboxPath;
  /** `binary` and `image` have no text: see `readBytes`. */
  readonly kind: "text" | "binary" | "image";
  /** The lines of the window with their ends, as they are in the file, without a byte order mark. */
  readonly text: string;
  /** The same with each line's number before it (`12|line`), for a reader who has to name lines. */
  readonly numbered: string;
  /** First and last line of the window, from 1; both 0 when it is empty. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** Lines of the whole file; a last line without an end counts. 0 for what is not text. */
  readonly totalLines: number;
  readonly totalBytes: number;
  /** Known secrets were taken out of `text` and `numbered` (`secrets.redact_output`): do not write them back. */
  readonly isRedacted: boolean;
  /** Where to go on, null when the window reaches the end of the file. */
  readonly nextOffset: number | null;
  /** Numbers of the lines that were cut at `maxLineBytes` or `maxBytes`. */
  readonly cutLines: readonly number[];
  readonly encoding: FileEncoding;
  /** True for `latin-1`, and for `utf-16` without a byte order mark: told by the look of the bytes. */
  readonly isEncodingGuessed: boolean;
  /** The file begins with a byte order mark. */
  readonly hasBom: boolean;
  /** Of the lines in the window. */
  readonly lineEnding: LineEnding;
  readonly image?: ImageFacts | undefined;
  /** Permission bits. */
  readonly mode: number;
  /** Milliseconds since 1970. */
  readonly modifiedMs: number;
  /** For `write`'s `ifVersion`. */
  readonly version: string;
}

/** Options of `readBytes`. */
export interface ReadBytesOptions {
  /** First byte, from 0. Default 0. */
  readonly offset?: number | undefined;
  /** Most bytes. Default 1 MiB; at most 64 MiB. What is larger is a `download`. */
  readonly length?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A piece of a file, byte-exact. */
export interface FileBytes {
  readonly path: SandboxPath;
  readonly bytes: Uint8Array;
  readonly totalBytes: number;
  /** Permission bits. */
  readonly mode: number;
  /** Milliseconds since 1970. */
  readonly modifiedMs: number;
  readonly version: string;
}

import type { ToolEvent } from "../../environment/tool-event.js";
import { FileError } from "../../errors/errors.js";
import type { FileStat } from "../file-facts.js";
import type { FileShell } from "../file-shell.js";
import { readFileBytes } from "../read-bytes.js";
import type { FileBytes } from "../read-result.js";
import { removeFile } from "../remove-file.js";
import { statFile } from "../stat-file.js";
import { writeFile } from "../write-file.js";
import type { WriteFileOptions, WrittenFile } from "../write-result.js";
import type { PatchOptions } from "./patch-result.js";
import type { PatchStore } from "./patch-store.js";

/** Bytes of the largest file that is patched: it is held in memory several times over. */
const maxFileBytes = 10 * 1024 * 1024;

/** The files of a session's sandbox. */
export class SessionPatchStore implements PatchStore {
  readonly #shell: FileShell;
  readonly #options: PatchOptions;

  constructor(shell: FileShell, options: PatchOptions) {
    this.#shell = shell;
    this.#options = options;
  }

  report(event: ToolEvent): void {
    this.#shell.access.report(event);
  }

  readonly redact = (text: string): string => this.#shell.access.redact(text);

  /** Whether a path is relative to where the session stands. */
  isRelative(path: string): boolean {
    return this.#shell.path(path).base === "standing";
  }

  /** A whole file. Throws FileError `too_large` above 10 MiB. */
  async read(path: string, isUndo = false): Promise<FileBytes> {
    const file = await readFileBytes(this.#shell, path, {
      length: maxFileBytes + 1,
      signal: isUndo ? undefined : this.#options.signal,
    });
    if (file.bytes.length <= maxFileBytes && file.totalBytes <= maxFileBytes) return file;
    throw new FileError(
      path,
      "too_large",
      `Nothing was changed: "${path}" has ${file.totalBytes.toLocaleString("en")} bytes; a patch takes files of at most 10 MiB.`,
      { operation: "patch", hint: "Change it with a command: sed, or a program of your own." },
    );
  }

  /** Of the name itself, not of what a link leads to. Undefined when there is nothing. */
  async look(path: string, isUndo = false): Promise<FileStat | undefined> {
    try {
      const signal = isUndo ? undefined : this.#options.signal;
      return await statFile(this.#shell, path, { followLinks: false, signal });
    } catch (error) {
      if (error instanceof FileError && error.reason === "not_found") return undefined;
      throw error;
    }
  }

  write(path: string, bytes: Uint8Array, options: WriteFileOptions, isUndo = false): Promise<WrittenFile> {
    return writeFile(this.#shell, path, bytes, { ...options, ...this.#choice(isUndo) });
  }

  remove(path: string, isUndo = false): Promise<void> {
    return removeFile(this.#shell, path, this.#choice(isUndo));
  }

  /** What is taken back is taken back whether or not the caller still waits. */
  #choice(isUndo: boolean): Pick<PatchOptions, "allowSensitive" | "signal"> {
    const { allowSensitive, signal } = this.#options;
    return { allowSensitive, ...(isUndo ? {} : { signal }) };
  }
}

import type { SandboxAccess } from "../environment/sandbox-access.js";
import type { SandboxPath } from "../workdir/paths.js";
import type { FileStat, StatOptions } from "./file-facts.js";
import type { FileSettings } from "./file-settings.js";
import { FileShell } from "./file-shell.js";
import type {
  AppliedPatch,
  PatchedFile,
  PatchFileOptions,
  PatchOptions,
  TextEdit,
} from "./patch/patch-result.js";
import type { FileBytes, FileContent, ReadBytesOptions, ReadFileOptions } from "./read-result.js";
import type { SearchOptions, SearchResult } from "./search-result.js";
import type { TransferOptions, TransferResult, UploadResult } from "./transfer/transfer-options.js";
import type { FileListing, ListOptions, MkdirOptions, RemoveOptions, RenameOptions } from "./tree-options.js";
import { transferShell } from "./transfer/transfer-shell.js";
import type { WatchEvent, WatchOptions } from "./watch-event.js";
import type { AppendFileOptions, WriteFileOptions, WrittenFile } from "./write-result.js";

/**
 * The files of a session's sandbox. A relative path is relative to where the session stands, `~/…` to the home of the
 * sandbox, and a host path under a mount means its place inside. Bytes of a name that are no UTF-8 stand in strings as
 * lone surrogates, U+DC80 to U+DCFF, and come back as they were.
 *
 * All of it throws FileError with a `reason` when a file is not as needed, InvalidArgumentError for a call that makes no
 * sense, WorkdirError when the session's own directory is gone and the path is relative, EnvironmentConnectionError when
 * the sandbox cannot be reached, UnsupportedCapabilityError for what the sandbox cannot do, ClosedError after `close()`.
 */
export class SessionFiles {
  readonly #shell: FileShell;

  constructor(access: SandboxAccess, settings: FileSettings = {}) {
    this.#shell = new FileShell(access, settings);
  }

  /** @internal */
  get [transferShell](): FileShell {
    return this.#shell;
  }

  /** Reads a window of lines: one round trip for a small text, else two. What is not text is named (`kind`), without its content. */
  async read(path: string, options: ReadFileOptions = {}): Promise<FileContent> {
    const { readFile } = await import("./read-file.js");
    return readFile(this.#shell, path, options);
  }

  /** Reads a piece of a file, byte-exact. */
  async readBytes(path: string, options: ReadBytesOptions = {}): Promise<FileBytes> {
    const { readFileBytes } = await import("./read-bytes.js");
    return readFileBytes(this.#shell, path, options);
  }

  /**
   * Writes a whole file: atomically, through a new file beside it. Who reads meanwhile sees the old or the new one; after
   * a failure the old one is whole and nothing is left. A link is followed to its target.
   */
  async write(
    path: string,
    content: string | Uint8Array,
    options: WriteFileOptions = {},
  ): Promise<WrittenFile> {
    const { writeFile } = await import("./write-file.js");
    return this.#reported("write", path, () => writeFile(this.#shell, path, content, options));
  }

  /**
   * Replaces text in a file: one edit, or several, each made in what the one before it made. All of them are made or
   * none. The text is found exactly, or failing that leniently, and never where it could be meant twice: FileError with
   * `reason` `no_match`, `ambiguous`, `changed`, `binary`, `too_large` (above 10 MiB), `invalid`. The file keeps its
   * encoding, line ends, byte order mark and mode.
   */
  async patch(
    path: string,
    edit: (TextEdit & PatchFileOptions) | readonly TextEdit[],
    options: PatchFileOptions = {},
  ): Promise<PatchedFile> {
    const [{ patchFile }, { SessionPatchStore }] = await Promise.all([
      import("./patch/patch-file.js"),
      import("./patch/session-patch-store.js"),
    ]);
    const [edits, choice] = isEditList(edit) ? [edit, options] : [[edit], { ...edit, ...options }];
    return patchFile(new SessionPatchStore(this.#shell, choice), path, edits, choice);
  }

  /**
   * Applies a patch of several files: V4A (`*** Begin Patch` …) or a unified diff. All of it is tried before anything is
   * written. Should a write fail then, what was written before is put back; the error names the state of each file.
   */
  async applyPatch(patch: string, options: PatchOptions = {}): Promise<AppliedPatch> {
    const [{ applyPatch }, { SessionPatchStore }] = await Promise.all([
      import("./patch/apply-patch.js"),
      import("./patch/session-patch-store.js"),
    ]);
    return applyPatch(new SessionPatchStore(this.#shell, options), patch, options);
  }

  /** Adds to the end of a file, which is made when it is not there. Not atomic: who reads meanwhile may see a part. */
  async append(
    path: string,
    content: string | Uint8Array,
    options: AppendFileOptions = {},
  ): Promise<WrittenFile> {
    const { appendFile } = await import("./append-file.js");
    return this.#reported("append", path, () => appendFile(this.#shell, path, content, options));
  }

  async stat(path: string, options: StatOptions = {}): Promise<FileStat> {
    const { statFile } = await import("./stat-file.js");
    return statFile(this.#shell, path, options);
  }

  /** Whether there is something. False for a link that leads nowhere. */
  async exists(path: string, options: { readonly signal?: AbortSignal | undefined } = {}): Promise<boolean> {
    const { fileExists } = await import("./stat-file.js");
    return fileExists(this.#shell, path, options);
  }

  /** What is in a directory, sorted by name. */
  async list(path = ".", options: ListOptions = {}): Promise<FileListing> {
    const { listFiles } = await import("./list-files.js");
    return listFiles(this.#shell, path, options);
  }

  /** Makes a directory. Returns its physical path. */
  async mkdir(path: string, options: MkdirOptions = {}): Promise<SandboxPath> {
    const { makeDirectory } = await import("./make-directory.js");
    return this.#reported("mkdir", path, () => makeDirectory(this.#shell, path, options));
  }

  /** Removes a file, a link (not what it leads to) or a directory. Refuses `/`, the home, and what the session stands in. */
  async remove(path: string, options: RemoveOptions = {}): Promise<void> {
    const { removeFile } = await import("./remove-file.js");
    return this.#reported("remove", path, () => removeFile(this.#shell, path, options));
  }

  /** Gives a file, a link or a directory another name or place. Returns its new physical path. */
  async rename(from: string, to: string, options: RenameOptions = {}): Promise<SandboxPath> {
    const { renameFile } = await import("./rename-file.js");
    return this.#reported("rename", from, () => renameFile(this.#shell, from, to, options), to);
  }

  /** Looks for text in files, or for files by name. Bounded, in order of paths. */
  async search(pattern: string, options: SearchOptions = {}): Promise<SearchResult> {
    const { searchFiles } = await import("./search-files.js");
    return searchFiles(this.#shell, pattern, options);
  }

  /**
   * Brings a file or a whole tree of this machine into the sandbox, as `cp -r` would: into a directory that exists, else
   * under the new name; with a slash at the end of `hostPath` only what is in the tree. Bytes stream in constant memory;
   * the target is whole or as it was before. Modes, times, links and hard links come along, owners do not.
   */
  async upload(
    hostPath: string | Uint8Array,
    path: string,
    options: TransferOptions = {},
  ): Promise<UploadResult> {
    const { upload } = await import("./transfer/upload.js");
    return upload(this.#shell, hostPath, path, options);
  }

  /**
   * Brings a file or a whole tree of the sandbox to this machine, as `upload` does the other way. The sandbox is not
   * trusted: what would leave the target, or goes over a limit, is refused with the entry named (`reason: "refused"`,
   * `"too_large"`), and nothing is written.
   */
  async download(
    path: string,
    hostPath: string | Uint8Array,
    options: TransferOptions = {},
  ): Promise<TransferResult> {
    const { download } = await import("./transfer/download.js");
    return download(this.#shell, path, hostPath, options);
  }

  /** Copies a file or a tree into another session's sandbox (or within this one), stream to stream. As `download`. */
  async copyTo(
    path: string,
    target: SessionFiles,
    targetPath: string,
    options: TransferOptions = {},
  ): Promise<UploadResult> {
    const { copyBetween } = await import("./transfer/copy-between.js");
    return copyBetween(
      { shell: this.#shell, path },
      { shell: target[transferShell], path: targetPath },
      options,
    );
  }

  /** Tells what changes below a path until its signal aborts or one stops to ask. */
  async *watch(path: string, options: WatchOptions = {}): AsyncGenerator<WatchEvent, void, undefined> {
    const { watchFiles } = await import("./watch-files.js");
    yield* watchFiles(this.#shell, path, options);
  }

  /** Tells the session what was done, or what failed, for its audit. Paths are the sandbox's own where they are known. */
  async #reported<T extends WrittenFile | string | void>(
    operation: string,
    path: string,
    work: () => Promise<T>,
    to?: string,
  ): Promise<T> {
    const { access } = this.#shell;
    const event = { kind: "file", operation } as const;
    try {
      const done = await work();
      const result: WrittenFile | string | void = done;
      const written = typeof result === "object" ? result : undefined;
      const physical = typeof result === "string" ? result : written?.path;
      if (to === undefined) {
        access.report({ ...event, path: physical ?? path, bytes: written?.bytes });
      } else access.report({ ...event, path, otherPath: physical ?? to });
      return done;
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      access.report({ ...event, path, ...(to === undefined ? {} : { otherPath: to }), error: text });
      throw error;
    }
  }
}

/** `Array.isArray` does not know of readonly lists. */
function isEditList(edit: TextEdit | readonly TextEdit[]): edit is readonly TextEdit[] {
  return Array.isArray(edit);
}

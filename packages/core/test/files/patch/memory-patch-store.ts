import type { ToolEvent } from "../../../src/environment/tool-event.js";
import { FileError } from "../../../src/errors/errors.js";
import type { FileStat, FileType } from "../../../src/files/file-facts.js";
import type { PatchStore } from "../../../src/files/patch/patch-store.js";
import type { FileBytes } from "../../../src/files/read-result.js";
import type { WriteFileOptions, WrittenFile } from "../../../src/files/write-result.js";
import { asSandboxPath } from "../../../src/workdir/paths.js";

interface MemoryFile {
  readonly bytes: Uint8Array;
  readonly mode: number;
  readonly version: string;
  readonly type: FileType;
}

/** Files in memory, standing in `/work`, with a hook that may fail before or after a call does its work. */
export class MemoryPatchStore implements PatchStore {
  readonly files = new Map<string, MemoryFile>();
  readonly events: ToolEvent[] = [];
  /** Called before each write and removal, with its number from 1 and whether it takes something back. */
  before: (call: string, number: number, isUndo: boolean) => void = () => {};
  /** Called after each write and removal was done. */
  after: (call: string, number: number, isUndo: boolean) => void = () => {};
  #calls = 0;
  #versions = 0;

  readonly redact = (text: string): string => text;

  put(path: string, text: string, facts: { readonly mode?: number; readonly type?: FileType } = {}): void {
    this.#versions += 1;
    this.files.set(this.#at(path), {
      bytes: Buffer.from(text),
      mode: facts.mode ?? 0o644,
      type: facts.type ?? "file",
      version: `v${this.#versions}`,
    });
  }

  /** All files with their texts. */
  get texts(): Record<string, string> {
    const entries = [...this.files].map(
      ([path, { bytes }]) => [path, Buffer.from(bytes).toString()] as const,
    );
    return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }

  report(event: ToolEvent): void {
    this.events.push(event);
  }

  isRelative(path: string): boolean {
    return !path.startsWith("/");
  }

  async read(path: string): Promise<FileBytes> {
    const file = this.files.get(this.#at(path));
    if (file === undefined) throw new FileError(path, "not_found", `no ${path}`);
    const { bytes, mode, version } = file;
    const physical = asSandboxPath(this.#at(path));
    return { path: physical, bytes, totalBytes: bytes.length, mode, modifiedMs: 0, version };
  }

  async look(path: string): Promise<FileStat | undefined> {
    const physical = asSandboxPath(this.#at(path));
    const none = { uid: 0, gid: 0, links: 1, modifiedMs: 0 };
    if (physical === "/work") {
      return { path: physical, type: "directory", sizeBytes: 0, mode: 0o755, version: "d", ...none };
    }
    const file = this.files.get(physical);
    if (file === undefined) return undefined;
    const { type, mode, version, bytes } = file;
    return { path: physical, type, sizeBytes: bytes.length, mode, version, ...none };
  }

  async write(
    path: string,
    bytes: Uint8Array,
    options: WriteFileOptions,
    isUndo = false,
  ): Promise<WrittenFile> {
    return this.#call(`write ${path}`, isUndo, () => {
      const physical = this.#at(path);
      const old = this.files.get(physical);
      if (options.ifVersion !== undefined && options.ifVersion !== (old?.version ?? "absent")) {
        throw new FileError(path, "changed", `${path} was changed`);
      }
      this.put(path, Buffer.from(bytes).toString(), { mode: options.mode ?? old?.mode ?? 0o644 });
      const version = this.files.get(physical)?.version ?? "";
      return { path: asSandboxPath(physical), bytes: bytes.length, created: old === undefined, version };
    });
  }

  async remove(path: string, isUndo = false): Promise<void> {
    this.#call(`remove ${path}`, isUndo, () => {
      if (!this.files.delete(this.#at(path))) throw new FileError(path, "not_found", `no ${path}`);
    });
  }

  #call<T>(name: string, isUndo: boolean, work: () => T): T {
    this.#calls += 1;
    const number = this.#calls;
    this.before(name, number, isUndo);
    const result = work();
    this.after(name, number, isUndo);
    return result;
  }

  #at(path: string): string {
    if (path.startsWith("/")) return path;
    return path === "." ? "/work" : `/work/${path}`;
  }
}

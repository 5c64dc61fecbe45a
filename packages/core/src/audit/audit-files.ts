import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  writeSync,
  type Stats,
} from "node:fs";
import { lstat, open, rm, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makePrivateFolder } from "../config/private-folder.js";
import { auditFileName, auditFileNumbers, auditFileNumbersOf, auditFolder } from "./audit-folder.js";

export interface AuditFilesOptions {
  readonly talariaHome: string;
  readonly maxFileBytes?: number | undefined;
  readonly maxFiles?: number | undefined;
}

const defaultFileBytes = 16 * 1024 * 1024;
const defaultFiles = 8;
const lineBreak = 0x0a;
/** One write holds whole lines, and no more than this unless a single line is longer. */
const mostAtOnce = 256 * 1024;

const { O_RDWR, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
// Read as well: whether the last writer came to the end of its line.
const append = O_RDWR | O_APPEND | O_NOFOLLOW;

/**
 * The files of the audit, shared by all processes of this user: each appends whole lines to the one with the highest
 * number, and whoever finds it full begins the next. None is ever renamed or written anew.
 */
export class AuditFiles {
  readonly folder: string;
  readonly #maxBytes: number;
  readonly #maxFiles: number;
  #file: FileHandle | undefined;
  /** The file ends within a line: a full disk, or a machine that went down. */
  #isTorn = false;

  constructor({ talariaHome, maxFileBytes = defaultFileBytes, maxFiles = defaultFiles }: AuditFilesOptions) {
    this.folder = auditFolder(talariaHome);
    this.#maxBytes = maxFileBytes;
    this.#maxFiles = maxFiles;
  }

  /**
   * Appends lines, each with its line break. Throws what the file system does. Nothing stays open afterwards: a session
   * that nobody closes must not hold a descriptor.
   */
  async append(lines: readonly string[]): Promise<void> {
    try {
      for (const batch of batches(lines)) {
        const file = await this.#current();
        const bytes = Buffer.from(this.#isTorn ? `\n${batch}` : batch);
        // `write`, not `appendFile`: one call, so that no other process's line gets in between.
        const { bytesWritten } = await file.write(bytes);
        this.#isTorn = bytesWritten < bytes.length;
        if (this.#isTorn) throw new Error("no space left on the device");
      }
    } finally {
      await this.close();
    }
  }

  /** The same at the end of the process, where nothing can be waited for. Does not begin a new file for size. */
  appendNow(lines: readonly string[]): void {
    const descriptor = this.#openNow();
    const { size } = fstatSync(descriptor);
    const last = Buffer.alloc(1);
    if (size > 0) readSync(descriptor, last, 0, 1, size - 1);
    if (size > 0 && last[0] !== lineBreak) writeSync(descriptor, "\n");
    for (const batch of batches(lines)) writeSync(descriptor, batch);
    closeSync(descriptor);
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  async #current(): Promise<FileHandle> {
    const file = this.#file;
    if (file !== undefined) {
      const { size, nlink } = await file.stat();
      if (size < this.#maxBytes && nlink > 0) return file;
      await this.close();
    }
    this.#file = await this.#openNewest();
    return this.#file;
  }

  #openNow(): number {
    for (const folder of [dirname(this.folder), this.folder]) {
      if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    }
    refuseForeign(lstatSync(this.folder));
    const newest = auditFileNumbersOf(readdirSync(this.folder)).at(-1) ?? 1;
    return openSync(join(this.folder, auditFileName(newest)), append | O_CREAT, 0o600);
  }

  async #openNewest(): Promise<FileHandle> {
    await makePrivateFolder(this.folder);
    refuseForeign(await lstat(this.folder));
    const numbers = await auditFileNumbers(this.folder);
    const newest = numbers.at(-1) ?? 0;
    if (newest > 0) {
      const file = await open(join(this.folder, auditFileName(newest)), append, 0o600);
      const { size } = await file.stat();
      if (size < this.#maxBytes) {
        const last = Buffer.alloc(1);
        if (size > 0) await file.read(last, 0, 1, size - 1);
        this.#isTorn = size > 0 && last[0] !== lineBreak;
        return file;
      }
      await file.close();
    }
    const next = newest + 1;
    const path = join(this.folder, auditFileName(next));
    const file = await open(path, append | O_CREAT | O_EXCL, 0o600).catch((error: NodeJS.ErrnoException) => {
      // Another process was faster: its new file is ours too.
      if (error.code === "EEXIST") return open(path, append);
      throw error;
    });
    for (const number of [...numbers, next].slice(0, -this.#maxFiles)) {
      await rm(join(this.folder, auditFileName(number)), { force: true });
    }
    return file;
  }
}

/** Others must neither read nor replace it. */
function refuseForeign({ uid, mode }: Stats): void {
  const own = process.getuid?.();
  if (own !== undefined && (uid !== own || (mode & 0o022) !== 0)) {
    throw new Error("the folder is not private to this user");
  }
}

function* batches(lines: readonly string[]): Generator<string> {
  let batch = "";
  for (const line of lines) {
    if (batch !== "" && batch.length + line.length > mostAtOnce) {
      yield batch;
      batch = "";
    }
    batch += line;
  }
  if (batch !== "") yield batch;
}

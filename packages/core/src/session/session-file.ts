import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { chmod, lstat, open, rename, rm, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder } from "../config/private-folder.js";
import { SessionFileError } from "../errors/errors.js";
import { TalariaError } from "../errors/talaria-error.js";
import { withFileLock } from "./file-lock.js";
import { mergeRecords } from "./merge-record.js";
import { formatSession, parseSession } from "./session-document.js";
import { withoutSecrets, type StateFilter } from "./session-file-secrets.js";
import { checkSessionName } from "./session-name.js";
import { emptyShellState, isSameSandbox, type SessionRecord } from "./session-record.js";

export interface SessionFileOptions {
  /** `<TALARIA_HOME>`. */
  readonly talariaHome: string;
  readonly name: string;
  /** What is never written. */
  readonly filter: StateFilter;
  /** Milliseconds to wait for another process that is writing. Default 5,000. */
  readonly lockDeadlineMs?: number | undefined;
}

/** A session's state is small; a file this large is not one. */
const largestBytes = 16 * 1024 * 1024;
const writableByOthers = 0o022;

/**
 * `<TALARIA_HOME>/sessions/<name>.json`. Holds shell functions that a later invocation runs, so it is private (0600 in
 * 0700) and one that others could have written is refused. Written by rename, and merged with what another process wrote
 * since (docs/decisions/0003-session-files.md). A file that cannot be used is left as it is.
 */
export class SessionFile {
  readonly path: string;
  readonly #folder: string;
  readonly #lockPath: string;
  readonly #options: SessionFileOptions;

  constructor(options: SessionFileOptions) {
    const name = checkSessionName(options.name);
    this.#options = options;
    this.#folder = join(options.talariaHome, "sessions");
    this.#lockPath = join(this.#folder, `${name}.lock`);
    this.path = join(this.#folder, `${name}.json`);
  }

  /** What the file holds; null when there is none. Throws SessionFileError for one that cannot be used. */
  async read(): Promise<SessionRecord | null> {
    try {
      return await this.#read();
    } catch (error) {
      throw this.#named(error, "read");
    }
  }

  /**
   * Writes what this process changed between `base` (what it read or wrote last; null = there was nothing) and `mine`.
   * Throws SessionFileError, having changed nothing.
   */
  async save(base: SessionRecord | null, mine: SessionRecord): Promise<void> {
    try {
      await this.#prepareFolder();
      await withFileLock(
        this.#lockPath,
        async () => {
          const theirs = await this.#read();
          // Of two that began the session at once, each found nothing, and all they have is what they changed.
          const before = base ?? { ...mine, cwd: null, state: emptyShellState };
          const canMerge = theirs !== null && isSameSandbox(theirs, mine) && isSameSandbox(before, mine);
          await this.#write(canMerge ? mergeRecords(before, mine, theirs) : mine);
        },
        { deadlineMs: this.#options.lockDeadlineMs },
      );
    } catch (error) {
      throw this.#named(error, "written");
    }
  }

  async #read(): Promise<SessionRecord | null> {
    let file: FileHandle;
    try {
      // Not blocking: opening a named pipe would otherwise wait for a writer for ever.
      file = await open(this.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch (error) {
      if (codeOf(error) === "ENOENT") return null;
      if (codeOf(error) === "ELOOP") {
        throw this.#refusal("it is a symbolic link", "Replace the link by the file it points to.");
      }
      throw error;
    }
    try {
      const stats = await file.stat();
      if (!stats.isFile()) throw this.#refusal("it is not a regular file", "Move it away.");
      this.#checkOwner(this.path, stats, "600");
      if (stats.size > largestBytes) throw this.#refusal(`it has ${stats.size} bytes`, "Move it away.");
      return this.#parse(await file.readFile("utf8"));
    } finally {
      await file.close();
    }
  }

  #parse(text: string): SessionRecord {
    const parsed = parseSession(text);
    const otherwise = "Use another --session name, or move the file away to begin anew.";
    switch (parsed.kind) {
      case "record":
        return parsed.record;
      case "future":
        throw this.#refusal(
          `it was written by a newer Talaria (schema ${parsed.schema})`,
          `Update Talaria. ${otherwise}`,
        );
      case "broken":
        throw this.#refusal(parsed.reason, otherwise);
    }
  }

  async #prepareFolder(): Promise<void> {
    await makePrivateFolder(this.#folder);
    const stats = await lstat(this.#folder);
    if (!stats.isDirectory()) throw this.#refusal(`${this.#folder} is not a folder`, "Move it away.");
    this.#checkOwner(this.#folder, stats, "700");
    if ((stats.mode & 0o077) !== 0) await chmod(this.#folder, 0o700);
  }

  /** Whoever can write the file or its folder decides what the next command of the session runs. */
  #checkOwner(path: string, stats: { readonly uid: number; readonly mode: number }, mode: string): void {
    const user = process.getuid?.();
    if (user !== undefined && stats.uid !== user) {
      throw this.#refusal(
        `${path} belongs to another account (uid ${stats.uid}, this is ${user})`,
        "Run as that account, or use another session name or TALARIA_HOME.",
      );
    }
    if ((stats.mode & writableByOthers) !== 0) {
      throw this.#refusal(
        `other accounts may write to ${path} (mode ${(stats.mode & 0o777).toString(8)})`,
        `If what is in it is yours: chmod ${mode} ${path}`,
      );
    }
  }

  async #write(record: SessionRecord): Promise<void> {
    const state = withoutSecrets(record.state, this.#options.filter);
    const text = formatSession({ ...record, state });
    if (Buffer.byteLength(text) > largestBytes) {
      throw this.#refusal(
        `the session's variables and functions take more than ${largestBytes} bytes`,
        "Unset what is not needed.",
      );
    }
    const temporary = join(this.#folder, `.${this.#options.name}.${randomUUID()}.tmp`);
    try {
      const file = await open(temporary, "wx", 0o600);
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, this.path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  #refusal(reason: string, hint: string): SessionFileError {
    const message = `The session file ${this.path} cannot be used: ${reason}. It was left as it is.`;
    return new SessionFileError(message, { operation: "session", hint });
  }

  /** Gives the system's bare errors the file's name and a way out. */
  #named(error: unknown, what: "read" | "written"): TalariaError {
    if (TalariaError.isInstance(error)) return error;
    const why = error instanceof Error ? error.message : String(error);
    return new SessionFileError(`The session file ${this.path} could not be ${what}: ${why}`, {
      operation: "session",
      hint: `Check the permissions and the free space of ${this.#folder}, or choose another folder by TALARIA_HOME.`,
      cause: error,
    });
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

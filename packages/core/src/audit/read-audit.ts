import { open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { AuditEntry } from "./audit-entry.js";
import type { AuditKind } from "./audit-event.js";
import { auditFileName, auditFileNumbers, auditFolder } from "./audit-folder.js";
import { FolderChanges } from "./folder-changes.js";

/** Which entries are read. All conditions must hold. */
export interface ReadAuditOptions {
  /** The entries are in `<talariaHome>/audit`. */
  readonly talariaHome: string;
  /** Recorded at this time or later. */
  readonly since?: Date | undefined;
  /** Of this session: its name or id. */
  readonly session?: string | undefined;
  readonly kind?: AuditKind | undefined;
  /** The last so many of those that are there. Default: all of them. */
  readonly limit?: number | undefined;
  /** Go on with what is recorded from now on, until aborted. Default false. */
  readonly follow?: boolean | undefined;
  /** Ends reading, without an error. */
  readonly signal?: AbortSignal | undefined;
}

const pieceBytes = 65_536;
/** A line that is longer was not written by us: entries are capped. */
const longestLine = 1_048_576;

/** Goes through the lines of the audit from the oldest file to the newest, and remembers where it is. */
class AuditLines {
  readonly #folder: string;
  #number = 0;
  #file: FileHandle | undefined;
  #rest = Buffer.alloc(0);

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The whole lines up to the present end of the audit. Called again, those that came since. */
  async *next(): AsyncGenerator<string> {
    for (;;) {
      yield* this.#ofFile();
      const numbers = await auditFileNumbers(this.#folder);
      const number = numbers.find((candidate) => candidate > this.#number);
      if (number === undefined) return;
      // What was written while the folder was looked at.
      yield* this.#ofFile();
      await this.close();
      this.#number = number;
      this.#rest = Buffer.alloc(0);
      this.#file = await open(join(this.#folder, auditFileName(number)), "r").catch(
        (error: NodeJS.ErrnoException) => {
          // Removed meanwhile, as the oldest are.
          if (error.code === "ENOENT") return undefined;
          throw error;
        },
      );
    }
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  async *#ofFile(): AsyncGenerator<string> {
    for (;;) {
      const { bytesRead = 0, buffer } =
        (await this.#file?.read(Buffer.alloc(pieceBytes), 0, pieceBytes)) ?? {};
      if (bytesRead === 0 || buffer === undefined) return;
      const bytes = Buffer.concat([this.#rest, buffer.subarray(0, bytesRead)]);
      const end = bytes.lastIndexOf(0x0a);
      if (end !== -1) yield* bytes.toString("utf8", 0, end).split("\n");
      this.#rest = bytes.subarray(end + 1);
      if (this.#rest.length > longestLine) this.#rest = Buffer.alloc(0);
    }
  }
}

/**
 * The entries of the audit, oldest first. Reads bounded pieces; a line that is torn or of a newer schema is left out.
 * An audit that was never written is empty. Throws what the file system does.
 */
export async function* readAudit(options: ReadAuditOptions): AsyncGenerator<AuditEntry> {
  const { talariaHome, limit = Infinity, follow = false, signal } = options;
  const folder = auditFolder(talariaHome);
  const lines = new AuditLines(folder);
  // Before the first look, so that nothing comes in between unseen.
  const changes = follow ? new FolderChanges(folder, signal) : undefined;
  try {
    const last: AuditEntry[] = [];
    for await (const line of lines.next()) {
      if (signal?.aborted === true) return;
      const entry = wantedEntry(line, options);
      if (entry === undefined) continue;
      if (limit === Infinity) yield entry;
      else {
        last.push(entry);
        if (last.length > limit) last.shift();
      }
    }
    yield* last;
    while (changes !== undefined && (await changes.wait())) {
      for await (const line of lines.next()) {
        const entry = wantedEntry(line, options);
        if (entry !== undefined) yield entry;
      }
    }
  } finally {
    changes?.close();
    await lines.close();
  }
}

function wantedEntry(line: string, { since, session, kind }: ReadAuditOptions): AuditEntry | undefined {
  const entry = parseEntry(line);
  if (entry === undefined) return undefined;
  if (since !== undefined && !(Date.parse(entry.time) >= since.getTime())) return undefined;
  if (session !== undefined && entry.session !== session) return undefined;
  return kind === undefined || entry.kind === kind ? entry : undefined;
}

/** An entry of a schema we know; undefined for anything else. */
export function parseEntry(line: string): AuditEntry | undefined {
  if (line === "") return undefined;
  try {
    const value: unknown = JSON.parse(line);
    const isEntry =
      typeof value === "object" &&
      value !== null &&
      "schema" in value &&
      value.schema === 1 &&
      "time" in value;
    return isEntry ? (value as AuditEntry) : undefined;
  } catch {
    return undefined;
  }
}

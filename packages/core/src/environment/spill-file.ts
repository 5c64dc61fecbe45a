import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream, type WriteStream } from "node:fs";
import { lstat, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { InvalidArgumentError } from "../errors/errors.js";
import { TalariaError } from "../errors/talaria-error.js";
import { untilDrained } from "../shell/write-and-wait.js";

/** A finished command's whole output, kept on the host in a private file for a while. Plain data: it can be passed on. */
export interface SpillHandle {
  /** Names the file; `readSpill` and `searchSpill` find it until it expires. */
  readonly id: string;
  /** The folder it is in, on the host. */
  readonly directory: string;
  /** Bytes in the file. */
  readonly bytes: number;
  /** False when the output outgrew the file's cap: it then holds the beginning. */
  readonly complete: boolean;
}

/** One line of a spill file that matched. */
export interface SpillMatch {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

/** Default cap of one spill file. */
export const defaultSpillBytes = 32 * 1024 * 1024;
/** After this time a spill file is removed by whoever writes the next one. */
const expiryMs = 24 * 60 * 60 * 1000;
const namePattern = /^out-[0-9a-f-]{36}\.log$/;

/** Undefined where there are no such numbers. An account without a name (`docker run -u 1234`) has one too. */
function ownUid(): number | undefined {
  return process.getuid?.();
}

/** Where output spills when nobody says otherwise: private to the user, under the system's temporary folder. */
export function defaultSpillDirectory(): string {
  return join(tmpdir(), `talaria-${ownUid() ?? "user"}`, "output");
}

/**
 * Makes the folder if needed. Refuses one that is not ours, and one in a folder of another user (but the system's), who
 * could put another in its place: others could read the output or redirect it.
 */
async function preparePrivateDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const found = await lstat(directory);
  const parent = await stat(dirname(directory));
  const uid = ownUid();
  const isForeign = uid !== undefined && (found.uid !== uid || (parent.uid !== uid && parent.uid !== 0));
  if (!found.isDirectory() || isForeign || (found.mode & 0o022) !== 0) {
    throw new TalariaError(
      "spill",
      `The folder for long output, ${directory}, is not private to this user.`,
      {
        operation: "spill",
        hint: "Remove it, or set `spillDirectory` to a folder of your own.",
      },
    );
  }
}

async function removeExpired(directory: string): Promise<void> {
  const oldest = Date.now() - expiryMs;
  for (const name of await readdir(directory)) {
    if (!namePattern.test(name)) continue;
    const path = join(directory, name);
    const found = await lstat(path).catch(() => undefined);
    if (found !== undefined && found.mtimeMs < oldest) await rm(path, { force: true });
  }
}

/** Writes one spill file, up to its cap, with back-pressure. Pieces keep their order, whether or not they are waited for. */
export class SpillWriter {
  readonly #directory: string;
  readonly #maxBytes: number;
  readonly #createFile: typeof createWriteStream;
  readonly #id = `out-${randomUUID()}.log`;
  /** What came before the file was there. */
  #early: Buffer[] = [];
  #opening: Promise<void> | undefined;
  #open: WriteStream | undefined;
  #bytes = 0;
  #complete = true;
  /** Why nothing is kept any more: the disk is full, the folder is not ours. */
  problem: string | undefined;

  constructor(
    directory: string,
    maxBytes: number = defaultSpillBytes,
    createFile: typeof createWriteStream = createWriteStream,
  ) {
    this.#directory = directory;
    this.#maxBytes = maxBytes;
    this.#createFile = createFile;
  }

  /** Returns a promise when the writer has to be waited for. */
  write(bytes: Buffer): Promise<void> | undefined {
    const part = bytes.subarray(0, this.#maxBytes - this.#bytes);
    if (part.length < bytes.length) this.#complete = false;
    if (part.length === 0 || this.problem !== undefined) return undefined;
    this.#bytes += part.length;
    if (this.#open === undefined) {
      this.#early.push(part);
      this.#opening ??= this.#create();
      return this.#opening;
    }
    return this.#open.write(part) ? undefined : untilDrained(this.#open);
  }

  /** Closes the file and names it. Undefined when nothing could be kept. */
  async finish(): Promise<SpillHandle | undefined> {
    await this.#opening;
    const stream = this.#open;
    if (stream === undefined) return undefined;
    stream.end();
    if (!stream.closed) await once(stream, "close").catch(() => {});
    if (this.problem !== undefined) return undefined;
    return { id: this.#id, directory: this.#directory, bytes: this.#bytes, complete: this.#complete };
  }

  /** Never rejects: a command does not fail because its output could not be kept. */
  async #create(): Promise<void> {
    try {
      await preparePrivateDirectory(this.#directory);
      await removeExpired(this.#directory);
      const path = join(this.#directory, this.#id);
      const stream = this.#createFile(path, { flags: "wx", mode: 0o600, highWaterMark: 1 << 20 });
      stream.on("error", (error) => {
        this.problem ??= error.message;
      });
      await once(stream, "open");
      for (const piece of this.#early) stream.write(piece);
      this.#open = stream;
    } catch (error) {
      this.problem ??= error instanceof Error ? error.message : String(error);
    }
    this.#early = [];
  }
}

function pathOf(handle: SpillHandle): string {
  if (!namePattern.test(handle.id)) {
    throw new InvalidArgumentError("handle", `"${handle.id}" does not name an output file`);
  }
  return join(handle.directory, handle.id);
}

function gone(handle: SpillHandle, cause: unknown): TalariaError {
  return new TalariaError("spill_expired", `The kept output ${handle.id} is no longer there.`, {
    operation: "readSpill",
    hint: "Long output is kept for 24 hours. Run the command again, or write its output to a file.",
    cause,
  });
}

/** A page of kept output. Throws a TalariaError (`spill_expired`) when the file is gone. */
export async function readSpill(handle: SpillHandle, offset: number, length: number): Promise<Buffer> {
  const path = pathOf(handle);
  const file = await open(path, "r").catch((cause: unknown) => {
    throw gone(handle, cause);
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Lines of kept output that match, the first `limit` (default 100) of them. Memory stays bounded by the longest line. */
export async function searchSpill(handle: SpillHandle, pattern: RegExp, limit = 100): Promise<SpillMatch[]> {
  const matches: SpillMatch[] = [];
  const input = createReadStream(pathOf(handle));
  try {
    await once(input, "open");
  } catch (cause) {
    throw gone(handle, cause);
  }
  let line = 0;
  for await (const text of createInterface({ input, crlfDelay: Infinity })) {
    line += 1;
    if (new RegExp(pattern.source, pattern.flags.replaceAll(/[gy]/g, "")).test(text))
      matches.push({ line, text });
    if (matches.length >= limit) break;
  }
  input.destroy();
  return matches;
}

import {
  FileError,
  InvalidArgumentError,
  type TerminalSession,
  type TransferOptions,
  type TransferResult,
} from "@talaria/core";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { visiblePath } from "../output/path-text.js";
import type { Invocation } from "../program/invocation.js";
import type { CopySide } from "./copy-side.js";
import { printBytes } from "./print-bytes.js";

export interface TransferPlan {
  readonly from: CopySide;
  readonly to: CopySide;
  /** The session of the side that is in a sandbox; of the source when both are. */
  readonly session: TerminalSession;
  /** The session of the target when both sides are in sandboxes. */
  readonly other: TerminalSession;
}

/** Moves what is to be moved, by the way that the two sides ask for. */
export async function transfer(
  invocation: Invocation,
  { from, to, session, other }: TransferPlan,
  options: TransferOptions,
): Promise<TransferResult> {
  if (from.kind === "sandbox" && to.kind === "sandbox") {
    return session.files.copyTo(from.path, other.files, to.path, options);
  }
  if (from.kind === "sandbox" && to.kind === "host")
    return session.files.download(from.path, to.path, options);
  if (from.kind === "sandbox") return toStdout(invocation, session, from.path, options);
  if (to.kind !== "sandbox") throw new Error("one side of a copy is always in a sandbox");
  if (from.kind === "host") return session.files.upload(from.path, to.path, options);
  return fromStdin(invocation, session, to.path, options);
}

async function toStdout(
  invocation: Invocation,
  session: TerminalSession,
  path: string,
  { onProgress, signal }: TransferOptions,
): Promise<TransferResult> {
  const bytes = await printBytes(invocation, session, path, {
    signal,
    onPiece: (done, totalBytes) => onProgress?.({ files: 1, bytes: done, totalBytes, current: path }),
  });
  return { ...oneFile, path: "stdout", bytes };
}

/**
 * A sandbox wants to know beforehand how long a file will be, so that a copy that is cut short is not taken for the
 * whole: what comes from stdin is kept in a private file first.
 */
async function fromStdin(
  { stdin }: Invocation,
  session: TerminalSession,
  path: string,
  options: TransferOptions,
): Promise<TransferResult> {
  const { signal, onProgress } = options;
  await requireFileName(session, path, signal);
  const folder = await mkdtemp(join(tmpdir(), "talaria-cp-"));
  try {
    const kept = join(folder, "stdin");
    let bytes = 0;
    const counted = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const piece of source) {
        bytes += piece.byteLength;
        onProgress?.({ files: 1, bytes, current: "stdin" });
        yield piece;
      }
    };
    await pipeline(stdin, counted, createWriteStream(kept), signal === undefined ? {} : { signal });
    return await session.files.upload(kept, path, options);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What comes from stdin has no name of its own to be copied under. */
async function requireFileName(
  { files }: TerminalSession,
  path: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const isDirectory = await files.stat(path, { signal }).then(
    ({ type }) => type === "directory",
    (error: unknown) => {
      if (error instanceof FileError) return false;
      throw error;
    },
  );
  if (!isDirectory && !path.endsWith("/")) return;
  throw new InvalidArgumentError(
    "to",
    `${visiblePath(path)} is a directory, and what comes from stdin has no name`,
    {
      operation: "files.cp",
      hint: "give the file a name: talaria files cp - sandbox:DIRECTORY/NAME",
    },
  );
}

const oneFile = {
  kind: "file",
  files: 1,
  directories: 0,
  links: 0,
  skipped: [],
  skippedCount: 0,
  verified: "size",
  notes: [],
} as const;

import { FileError } from "../../errors/errors.js";
import { fromShellBytes, toShellBytes } from "../../shell/shell-bytes.js";
import type { TreeReport } from "../archive/tree-report.js";
import { show } from "../file-path.js";
import { readExclusion } from "./exclude.js";
import type { SandboxPlace } from "./sandbox-place.js";
import { scriptFailure, type TransferContext } from "./script-failure.js";
import { sendFileScript, sendTreeScript } from "./send-scripts.js";
import type { Consume, TransferChannel } from "./transfer-channel.js";
import type { TransferOptions } from "./transfer-options.js";
import type { ScriptEnd, TransferScript } from "./transfer-script.js";

/** The script that gives a file or a tree of the sandbox to its standard output. */
export function sourceScript(place: SandboxPlace, options: TransferOptions): TransferScript {
  if (place.type === "directory") {
    return sendTreeScript(place.path, readExclusion(options.exclude)?.plainNames ?? []);
  }
  const bytes = toShellBytes(place.path);
  const slash = bytes.lastIndexOf("/");
  const directory = fromShellBytes(slash === 0 ? "/" : bytes.slice(0, slash));
  return sendFileScript(directory, fromShellBytes(bytes.slice(slash + 1)), options.verify === true);
}

/** Reads a tree's archive. When the sandbox says why it broke off, that is the error, and not that it broke off. */
export async function receiveTree(
  channel: TransferChannel,
  script: TransferScript,
  consume: Consume,
  { context, signal }: { readonly context: TransferContext; readonly signal: AbortSignal | undefined },
): Promise<ScriptEnd> {
  let broken: { readonly error: unknown } | undefined;
  const end = await channel.receive(
    script,
    async (chunks, ended) => {
      let isWhole = false;
      async function* counted(): AsyncGenerator<Uint8Array> {
        yield* chunks;
        isWhole = true;
      }
      try {
        await consume(counted(), ended);
      } catch (error) {
        // All that the script wrote was read, so its own words are worth waiting for.
        if (!isWhole) throw error;
        broken = { error };
      }
    },
    { operation: context.operation, signal },
  );
  if (broken === undefined) return end;
  const failure = scriptFailure(end, context);
  if (failure !== undefined) throw failure;
  if (end.words[1] !== "0") throw tarFailure(end, context);
  throw broken.error;
}

/** Checks what the script said against what arrived. Returns what both agree on. */
export function assertFileEnd(
  end: ScriptEnd,
  got: { readonly bytes: number; readonly place: SandboxPlace; readonly sha256: string | undefined },
  context: TransferContext,
): "size" | "sha256" {
  const failure = scriptFailure(end, context);
  if (failure !== undefined) throw failure;
  const { backend, operation, path } = context;
  const sizeAfter = Number(end.words[1]);
  const { sizeBytes } = got.place;
  // A log may grow meanwhile; a file of /proc says that it is empty. Less than there ever was is a part.
  const isUnsized = sizeBytes === 0 && sizeAfter === 0;
  if (
    !isUnsized &&
    (got.bytes < Math.min(sizeBytes, sizeAfter) || got.bytes > Math.max(sizeBytes, sizeAfter))
  ) {
    throw new FileError(
      path,
      "changed",
      `Only ${got.bytes} bytes of ${show(path)} arrived, which has ${sizeAfter}: it was cut off, or changed meanwhile.`,
      { backend, operation, hint: "Nothing was written to the target. Try again." },
    );
  }
  const told = end.words[2];
  if (got.sha256 === undefined || told === undefined) return "size";
  if (told === got.sha256) return "sha256";
  throw new FileError(
    path,
    "changed",
    `${show(path)} arrived damaged, or was changed meanwhile: the SHA-256 sums differ.`,
    {
      backend,
      operation,
      hint: "Nothing was written to the target. Try again when nobody works on the file.",
    },
  );
}

/** What GNU tar complains about although the archive is good. */
const harmless =
  /: (?:socket ignored|file changed as we read it|File removed before we read it|Removing leading .*)$/;
const socket =
  /^[^:]*: (?:\.\/)?(.*): (?:socket ignored|[Uu]nknown file type.*|pax format cannot archive sockets)$/;

/** Checks how `tar` ended. Returns what the reader should know. */
export function assertTreeEnd(
  end: ScriptEnd,
  report: TreeReport,
  context: TransferContext,
): readonly string[] {
  const failure = scriptFailure(end, context);
  if (failure !== undefined) throw failure;
  const lines = end.complaint.split("\n").filter((line) => line.trim() !== "");
  for (const line of lines) {
    const name = socket.exec(line)?.[1];
    if (name !== undefined) report.skip(toShellBytes(name), "a socket");
  }
  const others = lines.filter((line) => !socket.test(line));
  const isGood =
    end.words[1] === "0" || (end.words[1] === "1" && others.every((line) => harmless.test(line)));
  if (!isGood) throw tarFailure(end, context);
  const changed = others.filter((line) => /changed as we read|removed before/i.test(line));
  if (changed.length === 0) return [];
  return [`Files changed while they were read: ${changed.slice(0, 5).join("; ")}.`];
}

function tarFailure({ words, complaint }: ScriptEnd, context: TransferContext): Error {
  const failure = scriptFailure({ words: [], complaint }, context);
  return failure ?? new Error(`tar ended with ${words[1] ?? "no status"}`);
}

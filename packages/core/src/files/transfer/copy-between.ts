import { createHash } from "node:crypto";
import { FileError } from "../../errors/errors.js";
import { toShellBytes } from "../../shell/shell-bytes.js";
import { ArchiveRules } from "../archive/archive-rules.js";
import { relayTree } from "../archive/relay-tree.js";
import { TreeReport } from "../archive/tree-report.js";
import type { FileShell } from "../file-shell.js";
import { readExclusion } from "./exclude.js";
import { treeJudge } from "./judge-tree.js";
import { ProgressMeter } from "./progress-meter.js";
import { treePrefix } from "./receive-tree-script.js";
import { copiedName, findSource, findTarget } from "./sandbox-place.js";
import { assertFileEnd, assertTreeEnd, receiveTree, sourceScript } from "./source-stream.js";
import { openTransferChannel, type Consume } from "./transfer-channel.js";
import type { TransferOptions, UploadResult } from "./transfer-options.js";
import { endEntry, putFile, putTree } from "./upload.js";

/** A path of a session's sandbox. */
export interface TransferSide {
  readonly shell: FileShell;
  readonly path: string;
}

/**
 * Copies a file or a tree from one sandbox to another (or within one), stream to stream through this machine: nothing is
 * kept here. What comes out of the one is judged before it goes into the other.
 */
export async function copyBetween(
  from: TransferSide,
  to: TransferSide,
  options: TransferOptions = {},
): Promise<UploadResult> {
  options.signal?.throwIfAborted();
  let path = to.path;
  try {
    const place = await findSource(from.shell, from.path, "copy", options.signal);
    const kind = place.type === "directory" ? "tree" : "file";
    const name = copiedName(from.path, kind) || (kind === "file" ? copiedName(place.path, kind) : "");
    const target = await findTarget(to.shell, to.path, { name, kind }, "copy", options);
    path = target.path;
    const copy = { from, to, place, target, options };
    const result = kind === "tree" ? await copyTree(copy) : await copyFile(copy);
    to.shell.access.report({
      kind: "file",
      operation: "copy",
      path,
      otherPath: place.path,
      bytes: result.bytes,
    });
    return result;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    to.shell.access.report({ kind: "file", operation: "copy", path, otherPath: from.path, error: text });
    throw error;
  }
}

interface Copy {
  readonly from: TransferSide;
  readonly to: TransferSide;
  readonly place: Awaited<ReturnType<typeof findSource>>;
  readonly target: Awaited<ReturnType<typeof findTarget>>;
  readonly options: TransferOptions;
}

const contextOf = ({ shell, path }: TransferSide) => ({
  backend: shell.access.backend,
  operation: "copy",
  path,
});

async function copyTree({ from, to, place, target, options }: Copy): Promise<UploadResult> {
  const channel = await openTransferChannel(from.shell.access);
  const meter = new ProgressMeter(options.onProgress);
  const judge = await treeJudge(to.shell, to.path, target, options);
  const report: TreeReport = new TreeReport((current) => {
    judge(current);
    meter.update(report, current);
  });
  const rules = new ArchiveRules({
    limits: options.limits,
    outsideLinks: options.outsideLinks,
    excludes: readExclusion(options.exclude)?.matches,
  });
  let result: UploadResult | undefined;
  const context = contextOf(from);
  let notes: readonly string[] = [];
  const pass: Consume = async (chunks, ended) => {
    const beforeEnd = async (): Promise<void> => {
      notes = assertTreeEnd(await ended(), report, context);
    };
    const bytes = relayTree(chunks, { rules, report, prefix: treePrefix, last: [endEntry], beforeEnd });
    result = await putTree(to.shell, target, contextOf(to), options, { bytes, report, meter, notes: [] });
  };
  await receiveTree(channel, sourceScript(place, options), pass, { context, signal: options.signal });
  const done = finished(result, to.path);
  return { ...done, notes: [...done.notes, ...notes] };
}

async function copyFile({ from, to, place, target, options }: Copy): Promise<UploadResult> {
  const channel = await openTransferChannel(from.shell.access);
  const context = contextOf(from);
  const call = { operation: "copy", signal: options.signal };
  const script = sourceScript(place, options);
  const verify = options.verify === true ? createHash("sha256") : undefined;
  let result: UploadResult | undefined;
  let bytes = 0;
  let verified: "size" | "sha256" = "size";
  await channel.receive(
    script,
    async (chunks, ended) => {
      async function* counted(): AsyncGenerator<Uint8Array> {
        for await (const chunk of chunks) {
          bytes += chunk.length;
          verify?.update(chunk);
          yield chunk;
        }
        const sha256 = verify?.digest("hex");
        verified = assertFileEnd(await ended(), { bytes, place, sha256 }, context);
      }
      result = await putFile(to.shell, target, contextOf(to), options, {
        name: toShellBytes(place.path),
        sizeBytes: place.sizeBytes,
        mode: place.mode,
        modifiedMs: place.modifiedMs,
        sha256: undefined,
        bytes: counted(),
      });
    },
    call,
  );
  return { ...finished(result, to.path), verified };
}

function finished(result: UploadResult | undefined, path: string): UploadResult {
  if (result !== undefined) return result;
  throw new FileError(path, "io", "The copy ended before it was in place.", { operation: "copy" });
}

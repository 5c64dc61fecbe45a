import { fromShellBytes } from "../../shell/shell-bytes.js";
import { ArchiveRules } from "../archive/archive-rules.js";
import { extractTree } from "../archive/extract-tree.js";
import { hostTargetPath, HostTreeStage, type HostTarget } from "../archive/host-stage.js";
import { makeHostParents } from "../archive/make-host-parents.js";
import { hostPathBytes, resolveHostTarget } from "../archive/resolve-host-target.js";
import { TreeReport } from "../archive/tree-report.js";
import type { FileShell } from "../file-shell.js";
import { readExclusion } from "./exclude.js";
import { ProgressMeter } from "./progress-meter.js";
import { receiveFile } from "./receive-file.js";
import { copiedName, findSource, type SandboxPlace } from "./sandbox-place.js";
import { assertWithin, type TransferContext } from "./script-failure.js";
import { assertFileEnd, assertTreeEnd, receiveTree, sourceScript } from "./source-stream.js";
import { openTransferChannel } from "./transfer-channel.js";
import type { TransferOptions, TransferResult } from "./transfer-options.js";
import { fileResult, slowNote, treeResult } from "./transfer-result.js";
import { GrowingFile } from "./write-host-file.js";

/** Brings a file or a tree of the sandbox to this machine. */
export async function download(
  shell: FileShell,
  asked: string,
  hostPath: string | Uint8Array,
  options: TransferOptions = {},
): Promise<TransferResult> {
  options.signal?.throwIfAborted();
  const wanted = hostPathBytes(hostPath, "hostPath");
  const context = { backend: shell.access.backend, operation: "download", path: asked };
  let path = asked;
  let otherPath = fromShellBytes(wanted);
  try {
    const place = await findSource(shell, asked, "download", options.signal);
    path = place.path;
    const kind = place.type === "directory" ? "tree" : "file";
    if (options.createParents === true) makeHostParents(wanted);
    const name = copiedName(asked, kind) || (kind === "file" ? copiedName(place.path, kind) : "");
    const target = resolveHostTarget(wanted, name, kind, options.overwrite ?? true);
    otherPath = fromShellBytes(hostTargetPath(target));
    const fetch = kind === "tree" ? fetchTree : fetchFile;
    const result = await fetch(shell, place, target, context, options);
    shell.access.report({ kind: "file", operation: "download", path, otherPath, bytes: result.bytes });
    return result;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    shell.access.report({ kind: "file", operation: "download", path, otherPath, error: text });
    throw error;
  }
}

async function fetchFile(
  shell: FileShell,
  place: SandboxPlace,
  target: HostTarget,
  context: TransferContext,
  options: TransferOptions,
): Promise<TransferResult> {
  const channel = await openTransferChannel(shell.access);
  const meter = new ProgressMeter(options.onProgress);
  meter.totalBytes = place.sizeBytes > 0 ? place.sizeBytes : undefined;
  meter.totalFiles = 1;
  // Of a file that grows meanwhile, what came too much is found when it comes.
  assertWithin(place.sizeBytes, options.limits?.maxBytes, context);
  const file = await GrowingFile.make(target);
  try {
    const { end, bytes, sha256 } = await receiveFile(channel, place, file, context, { options, meter });
    const verified = assertFileEnd(end, { bytes, place, sha256 }, context);
    await file.publish(place.mode, place.modifiedMs);
    meter.finish({ bytes, files: 1 });
    const path = fromShellBytes(hostTargetPath(target));
    return fileResult(path, bytes, verified, channel.isSlow ? [slowNote] : []);
  } catch (error) {
    await file.remove();
    throw error;
  }
}

async function fetchTree(
  shell: FileShell,
  place: SandboxPlace,
  target: HostTarget,
  context: TransferContext,
  options: TransferOptions,
): Promise<TransferResult> {
  const channel = await openTransferChannel(shell.access);
  const meter = new ProgressMeter(options.onProgress);
  const report: TreeReport = new TreeReport((current) => meter.update(report, current));
  const rules = new ArchiveRules({
    limits: options.limits,
    outsideLinks: options.outsideLinks,
    excludes: readExclusion(options.exclude)?.matches,
  });
  const stage = new HostTreeStage(target);
  try {
    const end = await receiveTree(
      channel,
      sourceScript(place, options),
      (chunks) => extractTree(chunks, stage.path, { rules, report, signal: options.signal }),
      { context, signal: options.signal },
    );
    const notes = assertTreeEnd(end, report, context);
    stage.publish(report.topMode ?? 0o755, options.overwrite ?? true);
    meter.finish(report);
    const path = fromShellBytes(hostTargetPath(target));
    return treeResult(path, report, channel.isSlow ? [...notes, slowNote] : notes);
  } catch (error) {
    stage.remove();
    throw error;
  }
}

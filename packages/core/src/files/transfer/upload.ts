import { statSync } from "node:fs";
import { fromShellBytes } from "../../shell/shell-bytes.js";
import type { SandboxPath } from "../../workdir/paths.js";
import { createTree } from "../archive/create-tree.js";
import { toFsPath } from "../archive/host-directory.js";
import { hostFileError } from "../archive/host-file-error.js";
import { stageName } from "../archive/host-stage.js";
import { hostPathBytes } from "../archive/resolve-host-target.js";
import { TreeReport } from "../archive/tree-report.js";
import type { FileShell } from "../file-shell.js";
import { countTree } from "./count-tree.js";
import { readExclusion } from "./exclude.js";
import { treeJudge } from "./judge-tree.js";
import { ProgressMeter } from "./progress-meter.js";
import { HostFile } from "./read-host-file.js";
import { receiveFileScript } from "./receive-file-script.js";
import { endMember, receiveTreeScript, removeStageText, treePrefix } from "./receive-tree-script.js";
import { copiedName, findTarget, type SandboxTarget } from "./sandbox-place.js";
import { sendHostFile } from "./send-host-file.js";
import { assertWithin, scriptFailure, type TransferContext } from "./script-failure.js";
import { openTransferChannel } from "./transfer-channel.js";
import type { TransferOptions, UploadResult } from "./transfer-options.js";
import { fileResult, slowNote, treeResult } from "./transfer-result.js";
import type { ScriptEnd } from "./transfer-script.js";

/** Brings a file or a tree of this machine into the sandbox. */
export async function upload(
  shell: FileShell,
  hostPath: string | Uint8Array,
  asked: string,
  options: TransferOptions = {},
): Promise<UploadResult> {
  options.signal?.throwIfAborted();
  const source = hostPathBytes(hostPath, "hostPath");
  const kind = kindOf(source);
  const context = { backend: shell.access.backend, operation: "upload", path: asked };
  let path = asked;
  try {
    const name = copiedName(fromShellBytes(source), kind);
    const target = await findTarget(shell, asked, { name, kind }, "upload", options);
    path = target.path;
    const send = kind === "tree" ? sendTree : sendFile;
    const result = await send(shell, source, target, context, options);
    shell.access.report({
      kind: "file",
      operation: "upload",
      path,
      otherPath: fromShellBytes(source),
      bytes: result.bytes,
    });
    return result;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    shell.access.report({
      kind: "file",
      operation: "upload",
      path,
      otherPath: fromShellBytes(source),
      error: text,
    });
    throw error;
  }
}

function kindOf(source: string): "file" | "tree" {
  try {
    return statSync(toFsPath(source)).isDirectory() ? "tree" : "file";
  } catch (error) {
    throw hostFileError(source, "upload", error);
  }
}

async function sendFile(
  shell: FileShell,
  source: string,
  target: SandboxTarget,
  context: TransferContext,
  options: TransferOptions,
): Promise<UploadResult> {
  const file = await HostFile.open(source);
  try {
    assertWithin(file.sizeBytes, options.limits?.maxBytes, context);
    return await putFile(shell, target, context, options, {
      name: source,
      sizeBytes: file.sizeBytes,
      mode: file.stats.mode,
      modifiedMs: file.stats.mtimeMs,
      sha256: options.verify === true ? await file.digest(options.signal) : undefined,
      bytes: file.read(),
      host: file,
    });
  } finally {
    await file.close();
  }
}

/** A file that is on its way into a sandbox. */
export interface IncomingFile {
  /** Bytes, one character each; for the progress. */
  readonly name: string;
  readonly sizeBytes: number;
  readonly mode: number;
  readonly modifiedMs: number;
  /** What its SHA-256 has to be, where that is to be checked. */
  readonly sha256: string | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The file of this machine that the bytes come from, where they do. */
  readonly host?: HostFile;
}

/** Writes a stream of known size to a file of the sandbox. */
export async function putFile(
  shell: FileShell,
  target: SandboxTarget,
  context: TransferContext,
  options: TransferOptions,
  file: IncomingFile,
): Promise<UploadResult> {
  const channel = await openTransferChannel(shell.access);
  const meter = new ProgressMeter(options.onProgress);
  meter.totalBytes = file.sizeBytes;
  meter.totalFiles = 1;
  const stage = stageName();
  const { host } = file;
  const call = { operation: context.operation, signal: options.signal };
  const overwrite = options.overwrite ?? true;
  const end = await sendTidily(shell, { directory: target.directory, stage }, context, () =>
    channel.runOnFiles === undefined || host?.descriptor === undefined
      ? channel.send(receiveFileScript(target, stage, { ...file, overwrite }), metered(file, meter), call)
      : sendHostFile(channel.runOnFiles, target, stage, { ...file, overwrite, host, meter }, call),
  );
  const verified = end.words[2] === undefined ? "size" : "sha256";
  meter.finish({ bytes: file.sizeBytes, files: 1 });
  return {
    ...fileResult(target.path, file.sizeBytes, verified, channel.isSlow ? [slowNote] : []),
    path: target.path,
  };
}

async function* metered(file: IncomingFile, meter: ProgressMeter): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of file.bytes) {
    yield piece;
    bytes += piece.length;
    meter.update({ bytes, files: 1 }, file.name);
  }
}

async function sendTree(
  shell: FileShell,
  source: string,
  target: SandboxTarget,
  context: TransferContext,
  options: TransferOptions,
): Promise<UploadResult> {
  const meter = new ProgressMeter(options.onProgress);
  const judge = await treeJudge(shell, context.path, target, options);
  const report: TreeReport = new TreeReport((current) => {
    judge(current);
    meter.update(report, current);
  });
  const excludes = readExclusion(options.exclude)?.matches;
  if (options.onProgress !== undefined) {
    const count = await countTree(source, excludes, options.signal);
    meter.totalBytes = count.bytes;
    meter.totalFiles = count.files;
  }
  const tree = createTree(source, {
    prefix: treePrefix,
    report,
    excludes,
    limits: options.limits,
    signal: options.signal,
    last: [endEntry],
  });
  return putTree(shell, target, context, options, { bytes: tree, report, meter, notes: [] });
}

/** Says that an archive is whole. */
export const endEntry = {
  kind: "file",
  name: endMember,
  linkName: "",
  sizeBytes: 0,
  mode: 0o600,
  mtimeSeconds: 0,
} as const;

/** A tree that is on its way into a sandbox: an archive of Talaria's own making. */
export interface IncomingTree {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly report: TreeReport;
  readonly meter: ProgressMeter;
  readonly notes: readonly string[];
}

export async function putTree(
  shell: FileShell,
  target: SandboxTarget,
  context: TransferContext,
  options: TransferOptions,
  { bytes, report, meter, notes }: IncomingTree,
): Promise<UploadResult> {
  const channel = await openTransferChannel(shell.access);
  const stage = stageName();
  const script = receiveTreeScript(target, stage, options.overwrite ?? true);
  const place: string = target.state === "merge" ? target.path : target.directory;
  const call = { operation: context.operation, signal: options.signal };
  await sendTidily(shell, { directory: place, stage }, context, () => channel.send(script, bytes, call));
  meter.finish(report);
  const path: SandboxPath = target.path;
  return { ...treeResult(path, report, channel.isSlow ? [...notes, slowNote] : notes), path };
}

/** Feeds a script, and removes what it had no chance to remove itself when that fails. */
async function sendTidily(
  shell: FileShell,
  { directory, stage }: { readonly directory: string; readonly stage: string },
  context: TransferContext,
  send: () => Promise<ScriptEnd>,
): Promise<ScriptEnd> {
  try {
    const end = await send();
    const failure = scriptFailure(end, context);
    if (failure !== undefined) throw failure;
    return end;
  } catch (error) {
    const tidying = shell.access.run(removeStageText(directory, stage), { workdir: "/", timeoutMs: 60_000 });
    // Best effort: the sandbox may be gone, and the first error is the one that tells.
    await tidying.catch(() => undefined);
    throw error;
  }
}

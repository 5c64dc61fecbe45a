import { UnsupportedCapabilityError } from "../errors/errors.js";
import type { CacheShell } from "./cache-shell.js";
import type { HostFile } from "./mirrored-file.js";
import type { SyncPlan } from "./plan-sync.js";
import {
  addPieceScript,
  changeScripts,
  endPiecesScript,
  enterBase,
  failedMark,
  putScript,
  recordFolder,
  unpackScript,
} from "./sandbox-scripts.js";
import { contentOf, tarOf } from "./send-files.js";

/** Where a plan is carried out. */
export interface MirrorTarget {
  readonly shell: CacheShell;
  readonly backend: string;
  readonly talariaHome: string;
  /** Absolute, inside. */
  readonly base: string;
  readonly hasTar: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Base64 makes four characters of three bytes; the rest of the script needs some as well. */
const pieceBytes = 32 * 1024;

/** Deletes what is gone, makes folders, sends what is new. Throws at the first thing that cannot be done. */
export async function mirrorSandbox(target: MirrorTarget, plan: SyncPlan): Promise<void> {
  const { shell, base, signal } = target;
  const isGiven = await shell.hasStdin();
  if (!isGiven) refuseCredentials(target, plan.uploads);
  for (const script of changeScripts(plan)) {
    const { exitCode, output, complaint } = await shell.run(enterBase(base) + script, { signal });
    if (exitCode === 0) continue;
    const paths = output
      .split("\n")
      .filter((line) => line.startsWith(failedMark))
      .map((line) => line.slice(failedMark.length + 2));
    const what = paths.length === 0 ? complaint || `exit ${exitCode}` : paths.slice(0, 5).join(", ");
    throw shell.error(`these could not be deleted or made in ${base}: ${what}`, paths);
  }
  if (plan.uploads.length === 0) return;
  if (target.hasTar && isGiven) return unpack(target, plan.uploads);
  for (const file of plan.uploads) {
    await putBytes(target, file.path, contentOf(target.talariaHome, file), file.mode);
  }
}

/** Writes the record of what is there. */
export function putRecord(target: MirrorTarget, homeId: string, text: string): Promise<void> {
  return putBytes(target, `${recordFolder}/${homeId}.json`, inPieces(Buffer.from(text, "latin1")), 0o600);
}

async function unpack({ shell, base, talariaHome, signal }: MirrorTarget, files: readonly HostFile[]) {
  const stdin = tarOf(talariaHome, files);
  const { exitCode, complaint } = await shell.run(enterBase(base) + unpackScript, { stdin, signal });
  if (exitCode !== 0) throw shell.error(`tar failed in ${base}: ${complaint || `exit ${exitCode}`}`);
}

async function putBytes(
  { shell, base, signal }: MirrorTarget,
  path: string,
  content: AsyncIterable<Buffer>,
  mode: number,
): Promise<void> {
  const run = async (script: string, stdin?: AsyncIterable<Buffer>): Promise<void> => {
    const { exitCode, complaint } = await shell.run(enterBase(base) + script, { stdin, signal });
    if (exitCode !== 0) throw shell.error(`${path} could not be written in ${base}: ${complaint}`, [path]);
  };
  if (await shell.hasStdin()) return run(putScript(path, mode), content);
  let isFirst = true;
  for await (const whole of content) {
    for (let at = 0; at < whole.length; at += pieceBytes) {
      await run(addPieceScript(path, whole.subarray(at, at + pieceBytes), isFirst));
      isFirst = false;
    }
  }
  if (isFirst) await run(addPieceScript(path, Buffer.alloc(0), true));
  await run(endPiecesScript(path, mode));
}

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 1 << 18) yield bytes.subarray(at, at + (1 << 18));
}

/** Without standard input a file's content would stand in the text of a command, which others may see. */
function refuseCredentials({ backend }: MirrorTarget, uploads: readonly HostFile[]): void {
  const credential = uploads.find(({ path }) => !path.startsWith("cache/"));
  if (credential === undefined) return;
  throw new UnsupportedCapabilityError(
    "stdin",
    `"${backend}" takes no standard input, so the credential file ${credential.path} cannot be brought there without being seen.`,
    {
      backend,
      operation: "cache.sync",
      hint: "Take it out of terminal.credential_files, or use a backend that has the capability.",
    },
  );
}

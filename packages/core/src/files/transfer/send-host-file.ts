import { stat } from "node:fs/promises";
import { toShellBytes } from "../../shell/shell-bytes.js";
import { toFsPath } from "../archive/host-directory.js";
import type { ProgressMeter } from "./progress-meter.js";
import type { HostFile } from "./read-host-file.js";
import { receiveFileScript, type ReceivedFile } from "./receive-file-script.js";
import type { SandboxTarget } from "./sandbox-place.js";
import type { ChannelOptions, TransferChannel } from "./transfer-channel.js";
import type { ScriptEnd } from "./transfer-script.js";

/** A file that somebody appends to as fast as it is read would never end. */
const mostGrowthBytes = 64 * 1024 * 1024;

interface SentFile extends ReceivedFile {
  /** Bytes, one character each; for the progress. */
  readonly name: string;
  readonly host: HostFile;
  readonly meter: ProgressMeter;
}

/** Gives a file of this machine to the script that takes it, where the sandbox is this machine. */
export async function sendHostFile(
  runOnFiles: NonNullable<TransferChannel["runOnFiles"]>,
  target: SandboxTarget,
  stage: string,
  file: SentFile,
  options: ChannelOptions,
): Promise<ScriptEnd> {
  const { host, meter, name, sizeBytes } = file;
  if (host.descriptor === undefined) throw new TypeError("a file without a size cannot be given away");
  const script = receiveFileScript(target, stage, { ...file, isCut: true });
  const stagePath = toFsPath(`${toShellBytes(target.directory)}/${stage}`);
  const end = await runOnFiles(
    script,
    { stdinFile: host.descriptor },
    {
      // The descriptor's own position stands still while the kernel copies; what grows does not.
      sizeBytes: async () => (await stat(stagePath)).size,
      onGrowth(bytes) {
        if (bytes > sizeBytes + mostGrowthBytes) throw host.changed("longer");
        meter.update({ bytes: Math.min(bytes, sizeBytes), files: 1 }, name);
      },
    },
    options,
  );
  // Its end came early, and it is read by nobody else.
  if (end.words[0] === "short") throw host.changed("shorter");
  return end;
}

import { createHash } from "node:crypto";
import { toShellBytes } from "../../shell/shell-bytes.js";
import type { ProgressMeter } from "./progress-meter.js";
import type { SandboxPlace } from "./sandbox-place.js";
import { assertWithin, type TransferContext } from "./script-failure.js";
import { sourceScript } from "./source-stream.js";
import type { TransferChannel } from "./transfer-channel.js";
import type { TransferOptions } from "./transfer-options.js";
import type { ScriptEnd } from "./transfer-script.js";
import type { GrowingFile } from "./write-host-file.js";

interface ReceivedFile {
  readonly end: ScriptEnd;
  readonly bytes: number;
  /** Undefined when nobody asked. */
  readonly sha256: string | undefined;
}

/** Fills a file of this machine with one of the sandbox. Throws FileError (`too_large`) beyond the limit. */
export async function receiveFile(
  channel: TransferChannel,
  place: SandboxPlace,
  file: GrowingFile,
  context: TransferContext,
  { options, meter }: { readonly options: TransferOptions; readonly meter: ProgressMeter },
): Promise<ReceivedFile> {
  const script = sourceScript(place, options);
  const call = { operation: "download", signal: options.signal };
  const name = toShellBytes(place.path);
  const told = (bytes: number): void => {
    assertWithin(bytes, options.limits?.maxBytes, context);
    meter.update({ bytes, files: 1 }, name);
  };
  // A file of /proc says that it is empty and may never end: its bytes are counted as they come.
  if (channel.runOnFiles !== undefined && place.sizeBytes > 0) {
    const watch = { sizeBytes: () => file.sizeBytes(), onGrowth: told };
    const end = await channel.runOnFiles(script, { stdoutFile: file.descriptor }, watch, call);
    const bytes = await file.sizeBytes();
    assertWithin(bytes, options.limits?.maxBytes, context);
    // What the script says of a failure tells more than a sum.
    const isSummed = options.verify === true && end.words[0] === "done";
    return { end, bytes, sha256: isSummed ? await file.digest(options.signal) : undefined };
  }
  const hash = options.verify === true ? createHash("sha256") : undefined;
  let bytes = 0;
  const consume = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      assertWithin(bytes, options.limits?.maxBytes, context);
      hash?.update(chunk);
      await file.write(chunk);
      meter.update({ bytes, files: 1 }, name);
    }
  };
  const end = await channel.receive(script, consume, call);
  return { end, bytes, sha256: hash?.digest("hex") };
}

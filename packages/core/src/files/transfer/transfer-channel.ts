import type { SandboxAccess } from "../../environment/sandbox-access.js";
import { runOnFiles } from "./host-file-channel.js";
import { receiveBySpawn, sendBySpawn } from "./spawn-channel.js";
import type { ScriptEnd, TransferScript } from "./transfer-script.js";

/** What moving bytes through a script needs besides. */
export interface ChannelOptions {
  readonly operation: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Takes what comes out of a script. It may stop reading early by throwing: the script is then ended. Once all is read,
 * `ended` tells how the script ended, for who must know before the last byte is passed on.
 */
export type Consume = (chunks: AsyncIterable<Uint8Array>, ended: () => Promise<ScriptEnd>) => Promise<void>;

/** Open files of this machine that a script is given as its standard streams. */
export interface ScriptFiles {
  readonly stdinFile?: number;
  readonly stdoutFile?: number;
}

/** Looks on while a script moves bytes out of this process's sight. */
export interface GrowthWatch {
  /** How far the side that grows has come; undefined when that cannot be seen now. */
  readonly sizeBytes: () => Promise<number | undefined>;
  /** Told at the start and then about five times a second. What it throws ends the script, and is thrown. */
  readonly onGrowth: (bytes: number) => void;
}

/**
 * Runs scripts whose standard input or output is bytes without bound, with back-pressure: over a process where the
 * environment can start one, else over a command's streams, else, where there are none, in pieces of base64 by way of a
 * file in the sandbox, which is slow.
 */
export interface TransferChannel {
  /** True when bytes travel in pieces of base64. */
  readonly isSlow: boolean;
  /** Feeds a script. When `chunks` throws, the script never sees the end of its input as if it were whole: it is ended. */
  send(
    script: TransferScript,
    chunks: AsyncIterable<Uint8Array>,
    options: ChannelOptions,
  ): Promise<ScriptEnd>;
  /** Reads a script's output. An error of `consume` is thrown as it is, once the script has ended. */
  receive(script: TransferScript, consume: Consume, options: ChannelOptions): Promise<ScriptEnd>;
  /** Runs a script on open files of this machine. Only where the sandbox is this machine: no byte passes through here. */
  readonly runOnFiles?: (
    script: TransferScript,
    files: ScriptFiles,
    watch: GrowthWatch,
    options: ChannelOptions,
  ) => Promise<ScriptEnd>;
}

export async function openTransferChannel(access: SandboxAccess): Promise<TransferChannel> {
  const { environment } = access;
  if (environment.spawn !== undefined) {
    const channel: TransferChannel = {
      isSlow: false,
      send: (script, chunks, options) => sendBySpawn(access, script, chunks, options),
      receive: (script, consume, options) => receiveBySpawn(access, script, consume, options),
    };
    if (environment.acceptsHostFiles !== true) return channel;
    return {
      ...channel,
      runOnFiles: (script, files, watch, options) => runOnFiles(access, script, files, watch, options),
    };
  }
  const abilities = new Set<string>((await environment.capabilities?.()) ?? []);
  if (abilities.has("stdin") && abilities.has("separateStreams")) {
    const { receiveByRun, sendByRun } = await import("./run-channel.js");
    return {
      isSlow: false,
      send: (script, chunks, options) => sendByRun(access, script, chunks, options),
      receive: (script, consume, options) => receiveByRun(access, script, consume, options),
    };
  }
  const { receiveInPieces, sendInPieces } = await import("./pieces-channel.js");
  return {
    isSlow: true,
    send: (script, chunks, options) => sendInPieces(access, script, chunks, options),
    receive: (script, consume, options) => receiveInPieces(access, script, consume, options),
  };
}

import type { SandboxAccess } from "../../environment/sandbox-access.js";
import { RunningScript } from "./running-script.js";
import type { ChannelOptions, Consume } from "./transfer-channel.js";
import { streamPieces, writeThrough } from "./stream-pieces.js";
import type { ScriptEnd, TransferScript } from "./transfer-script.js";

export async function sendBySpawn(
  access: SandboxAccess,
  script: TransferScript,
  chunks: AsyncIterable<Uint8Array>,
  options: ChannelOptions,
): Promise<ScriptEnd> {
  const running = await RunningScript.start(access, script, options);
  const { stdin, stdout } = running.process;
  stdout.resume();
  try {
    let writing: Promise<void> | undefined;
    for await (const chunk of chunks) {
      // One is under way while the next is made; who makes them counts on no more.
      await writing;
      running.throwIfAborted();
      // A script that has read enough, or failed, says so itself.
      if (!stdin.writable) break;
      writing = writeThrough(stdin, chunk);
    }
    await writing;
    running.throwIfAborted();
    stdin.end();
    return await running.end();
  } catch (error) {
    await running.stop();
    throw error;
  }
}

export async function receiveBySpawn(
  access: SandboxAccess,
  script: TransferScript,
  consume: Consume,
  options: ChannelOptions,
): Promise<ScriptEnd> {
  const running = await RunningScript.start(access, script, options);
  running.process.stdin.end();
  try {
    await consume(streamPieces(running.process.stdout), () => running.end());
    running.throwIfAborted();
    return await running.end();
  } catch (error) {
    running.throwIfAborted();
    await running.stop();
    throw error;
  }
}

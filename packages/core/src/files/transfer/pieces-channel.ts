import type { SandboxAccess } from "../../environment/sandbox-access.js";
import { pieceBytes, Spool } from "../spool.js";
import { endOf, transferTimeoutMs } from "./run-channel.js";
import type { ChannelOptions, Consume } from "./transfer-channel.js";
import type { ScriptEnd, TransferScript } from "./transfer-script.js";

/** Gathers the input in a file of the sandbox, piece by piece, then runs the script on it. */
export async function sendInPieces(
  access: SandboxAccess,
  script: TransferScript,
  chunks: AsyncIterable<Uint8Array>,
  options: ChannelOptions,
): Promise<ScriptEnd> {
  const spool = await Spool.make(access, options);
  try {
    for await (const piece of inPieces(chunks)) await spool.append(piece);
    const result = await access.run(`(\n${script.text}\n) <${spool.path}`, {
      workdir: "/",
      separate: false,
      timeoutMs: transferTimeoutMs,
      signal: options.signal,
    });
    return endOf(access, script, result, options.operation, options.signal);
  } finally {
    await spool.remove();
  }
}

/** Runs the script with its output in a file of the sandbox, then fetches that piece by piece. */
export async function receiveInPieces(
  access: SandboxAccess,
  script: TransferScript,
  consume: Consume,
  options: ChannelOptions,
): Promise<ScriptEnd> {
  const spool = await Spool.make(access, options);
  try {
    const result = await access.run(`(\n${script.text}\n) >${spool.path}`, {
      workdir: "/",
      separate: false,
      timeoutMs: transferTimeoutMs,
      signal: options.signal,
    });
    const end = endOf(access, script, result, options.operation, options.signal);
    await consume(spool.read(), () => Promise.resolve(end));
    return end;
  } finally {
    await spool.remove();
  }
}

async function* inPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let pending: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    pending = pending.length === 0 ? Buffer.from(chunk) : Buffer.concat([pending, chunk]);
    let at = 0;
    for (; pending.length - at >= pieceBytes; at += pieceBytes) yield pending.subarray(at, at + pieceBytes);
    pending = pending.subarray(at);
  }
  if (pending.length > 0) yield pending;
}

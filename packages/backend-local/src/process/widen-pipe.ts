import { spawn } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";

/** F_SETPIPE_SZ of fcntl(2) on Linux. */
const setPipeSize = 1031;
/** What any user may ask for (/proc/sys/fs/pipe-max-size). */
const wideBytes = 1024 * 1024;
/** Output below this is over before widening would pay. */
const widenAfterBytes = 1024 * 1024;

const programs: readonly (readonly [string, ...string[]])[] = [
  ["perl", "-e", `exit !fcntl(STDIN, ${setPipeSize}, ${wideBytes})`],
  ["python3", "-c", `import fcntl; fcntl.fcntl(0, ${setPipeSize}, ${wideBytes})`],
];

/**
 * Gives a pipe room for more once much has come through it. A pipe holds 64 KiB, so that writer and reader wake each
 * other for every single piece, which costs several times what the bytes do. Node cannot make it larger, but a perl or
 * python3 that is handed the descriptor can; where there is neither, the pipe stays as it is, which is only slower.
 *
 * @param fd the descriptor behind `stream`
 */
export function widenWhenBusy(stream: Readable, fd: number, env: Readonly<Record<string, string>>): void {
  let seenBytes = 0;
  const onData = (bytes: Uint8Array): void => {
    seenBytes += bytes.length;
    if (seenBytes < widenAfterBytes) return;
    stream.off("data", onData);
    const isOpen = (): boolean => !stream.destroyed && !stream.readableEnded;
    if (isOpen()) widen(fd, env, isOpen, programs);
  };
  // Listening alone must not let the stream flow before its owner reads it.
  stream.on("newListener", function listen(event: string) {
    if (event !== "data") return;
    stream.off("newListener", listen);
    stream.on("data", onData);
  });
}

/**
 * The same for a pipe that is written to.
 *
 * @param fd the descriptor behind `stream`
 */
export function widenWhenFed(stream: Socket, fd: number, env: Readonly<Record<string, string>>): void {
  const onDrain = (): void => {
    if (stream.bytesWritten < widenAfterBytes) return;
    stream.off("drain", onDrain);
    const isOpen = (): boolean => !stream.destroyed && !stream.writableEnded;
    if (isOpen()) widen(fd, env, isOpen, programs);
  };
  stream.on("drain", onDrain);
}

function widen(
  fd: number,
  env: Readonly<Record<string, string>>,
  isOpen: () => boolean,
  [program, ...others]: readonly (readonly [string, ...string[]])[],
): void {
  if (program === undefined) return;
  const [name, ...args] = program;
  try {
    // Opened anew: Node makes what it hands to a child blocking, and that goes for all who share the open file.
    const handedOver = openSync(`/proc/self/fd/${fd}`, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const child = spawn(name, args, { stdio: [handedOver, "ignore", "ignore"], env });
      child.on("error", () => {
        if (isOpen()) widen(fd, env, isOpen, others);
      });
    } finally {
      closeSync(handedOver);
    }
  } catch {
    // No descriptor or process to be had: the pipe stays as it is.
  }
}

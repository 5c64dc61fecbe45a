import { writeSync } from "node:fs";
import { Writable } from "node:stream";

/** How long to wait before a full terminal is tried again, at first and at most. */
const firstPauseMs = 1;
const longestPauseMs = 16;

/**
 * The input side of a terminal.
 *
 * Written by hand because libuv writes to a master in a busy loop that blocks the event loop until the program reads:
 * a program that first wants its own output read would never do so. The kernel tells nobody when there is room again,
 * so a full terminal is tried anew after a short pause.
 */
export function terminalInput(fd: number, isOpen: () => boolean): Writable {
  const writeAll = (bytes: Buffer, pauseMs: number, done: (error?: Error | null) => void): void => {
    let rest = bytes;
    let pause = pauseMs;
    while (rest.length > 0) {
      if (!isOpen()) {
        done(Object.assign(new Error("write EPIPE: the terminal is closed"), { code: "EPIPE" }));
        return;
      }
      try {
        rest = rest.subarray(writeSync(fd, rest));
        pause = firstPauseMs;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === "EINTR") continue;
        if (code !== "EAGAIN") {
          done(error as Error);
          return;
        }
        setTimeout(() => writeAll(rest, Math.min(pause * 2, longestPauseMs), done), pause);
        return;
      }
    }
    done();
  };
  return new Writable({
    decodeStrings: true,
    write: (bytes: Buffer, _encoding, done) => writeAll(bytes, firstPauseMs, done),
    // A terminal has no end of its input: the program is told by what the caller types (Ctrl-D), or by a signal.
    final: (done) => done(),
  });
}

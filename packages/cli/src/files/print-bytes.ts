import { FileError, InvalidArgumentError, type TerminalSession } from "@talaria/core";
import { visiblePath } from "../output/path-text.js";
import type { Invocation } from "../program/invocation.js";

const pieceBytes = 8 * 1024 * 1024;

export interface PrintBytesOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onPiece?: ((doneBytes: number, totalBytes: number) => void) | undefined;
}

/**
 * Prints a whole file byte for byte, in pieces, and returns how many there were. Not onto a terminal unless it is text.
 * Throws FileError when it changes meanwhile.
 */
export async function printBytes(
  { stdout, stdoutIsTty }: Invocation,
  session: TerminalSession,
  path: string,
  { signal, onPiece }: PrintBytesOptions,
): Promise<number> {
  let offset = 0;
  let version: string | undefined;
  for (;;) {
    const piece = await session.files.readBytes(path, { offset, length: pieceBytes, signal });
    const { bytes, totalBytes } = piece;
    if (version !== undefined && piece.version !== version) {
      throw new FileError(path, "changed", `${visiblePath(path)} was changed while it was read`, {
        operation: "files.read",
        hint: "what was printed is of two states of the file: read it again",
      });
    }
    version = piece.version;
    if (stdoutIsTty && bytes.includes(0)) {
      throw new InvalidArgumentError("raw", `${visiblePath(path)} is binary and stdout is a terminal`, {
        operation: "files.read",
        hint: `send it elsewhere: talaria files read --raw ${visiblePath(path)} > copy`,
      });
    }
    await stdout.write(bytes);
    offset += bytes.byteLength;
    onPiece?.(offset, totalBytes);
    // A file of /proc says that it has no bytes: its end is where nothing more comes.
    if (bytes.byteLength === 0 || (totalBytes > 0 && offset >= totalBytes)) return offset;
  }
}

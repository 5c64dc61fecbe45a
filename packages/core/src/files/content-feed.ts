import { shellQuote } from "../shell/quote.js";
import type { FileShell } from "./file-shell.js";
import { pieceBytes, Spool, type SpoolOptions } from "./spool.js";

/** How content gets to a script: shell text that prints it, and what that reads. */
export interface ContentFeed {
  readonly text: string;
  readonly stdin?: Uint8Array | undefined;
}

/** Up to here text stands in the script itself: a script with standard input uses up a shell. */
const inlineBytes = 64 * 1024;
/** Up to here bytes stand in the script as numbers, of four characters each, where there is no standard input. */
const numberBytes = 12 * 1024;
const bytesPerPrint = 4096;

/**
 * Runs work with a feed of these bytes. Where a sandbox takes no standard input, scripts are often given to a program as
 * an argument, of at most 128 KiB on Linux: what does not fit there comes before, in pieces, by way of a private file.
 */
export async function withContent<T>(
  shell: FileShell,
  bytes: Uint8Array,
  options: SpoolOptions,
  work: (feed: ContentFeed) => Promise<T>,
): Promise<T> {
  if (bytes.length === 0) return work({ text: ":" });
  const hasStdin = await shell.hasStdin();
  const text = bytes.length <= inlineBytes ? plainText(bytes) : undefined;
  if (text !== undefined && (hasStdin || fitsArgument(text)))
    return work({ text: `printf %s ${shellQuote(text)}` });
  if (hasStdin) return work({ text: "cat", stdin: bytes });
  if (bytes.length <= numberBytes) return work({ text: `{ ${numbers(bytes)}; }` });
  const spool = await Spool.make(shell.access, options);
  try {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      await spool.append(Buffer.from(bytes.subarray(at, at + pieceBytes)));
    }
    return await work({ text: `cat <${spool.path}` });
  } finally {
    await spool.remove();
  }
}

/** An environment may quote the script once more. */
function fitsArgument(text: string): boolean {
  return Buffer.byteLength(shellQuote(shellQuote(text))) <= inlineBytes;
}

/** Text that a script can hold as it is. */
function plainText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function numbers(bytes: Uint8Array): string {
  const prints: string[] = [];
  for (let at = 0; at < bytes.length; at += bytesPerPrint) {
    const octal = Array.from(
      bytes.subarray(at, at + bytesPerPrint),
      (byte) => `\\${byte.toString(8).padStart(3, "0")}`,
    );
    prints.push(`printf '${octal.join("")}'`);
  }
  return prints.join(" && ");
}

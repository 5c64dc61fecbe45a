import { UnsupportedCapabilityError } from "../errors/errors.js";
import { shellQuote } from "../shell/quote.js";
import type { FileShell } from "./file-shell.js";

/** How content gets to a script: shell text that prints it, and what that reads. */
export interface ContentFeed {
  readonly text: string;
  readonly stdin?: Uint8Array | undefined;
}

/** Up to here text stands in the script itself: a script with standard input uses up a shell. */
const inlineBytes = 64 * 1024;
/** Up to here bytes stand in the script as numbers, where there is no standard input. */
const numberBytes = 256 * 1024;
const bytesPerPrint = 4096;

/** Throws UnsupportedCapabilityError for more than a script can hold where the sandbox takes no standard input. */
export async function contentFeed(shell: FileShell, asked: string, bytes: Uint8Array): Promise<ContentFeed> {
  if (bytes.length === 0) return { text: ":" };
  const text = bytes.length <= inlineBytes ? plainText(bytes) : undefined;
  if (text !== undefined) return { text: `printf %s ${shellQuote(text)}` };
  if (await shell.hasStdin()) return { text: "cat", stdin: bytes };
  if (bytes.length <= numberBytes) return { text: `{ ${numbers(bytes)}; }` };
  const { backend } = shell.access;
  throw new UnsupportedCapabilityError(
    "stdin",
    `"${backend}" takes no standard input, so no more than ${numberBytes / 1024} KiB of "${asked}" can be written at once.`,
    { backend, operation: "write", hint: "Append it in pieces, or use another backend." },
  );
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

import type { FileEncoding } from "./read-result.js";

/** How the bytes of a file are to be read as text; undefined when they are none. */
export interface TextEncoding {
  readonly encoding: FileEncoding;
  readonly isGuessed: boolean;
  /** Length of the byte order mark, 0 when there is none. */
  readonly bomBytes: number;
}

/** How much is looked at for patterns. */
const patternBytes = 4096;

/**
 * Tells the encoding of a file by its first bytes. `isWhole`: they are all of it, else the last character may be cut.
 * A byte order mark decides; then NULs at every other place say UTF-16; then what is valid UTF-8 is that. The rest is
 * Latin-1 if it has no control characters that texts do not have, and no text otherwise.
 */
export function detectEncoding(head: Uint8Array, isWhole: boolean): TextEncoding | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf)
    return { encoding: "utf-8", isGuessed: false, bomBytes: 3 };
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: "utf-16le", isGuessed: false, bomBytes: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: "utf-16be", isGuessed: false, bomBytes: 2 };
  if (head.includes(0)) {
    const encoding = utf16Pattern(head.subarray(0, patternBytes));
    return encoding === undefined ? undefined : { encoding, isGuessed: true, bomBytes: 0 };
  }
  const controls = countControls(head);
  if (isUtf8(head, isWhole)) {
    // Bytes of a program can happen to be ASCII: terminal captures may hold a few control characters, not many.
    return controls * 10 > head.length ? undefined : { encoding: "utf-8", isGuessed: false, bomBytes: 0 };
  }
  return controls > 0 ? undefined : { encoding: "latin-1", isGuessed: true, bomBytes: 0 };
}

const decoders = {
  "utf-8": "utf-8",
  "utf-16le": "utf-16le",
  "utf-16be": "utf-16be",
  "latin-1": "latin1",
} as const;

/** Bytes without their byte order mark as text. */
export function decodeText(bytes: Uint8Array, encoding: FileEncoding): string {
  if (encoding === "latin-1")
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return new TextDecoder(decoders[encoding], { ignoreBOM: true }).decode(bytes);
}

/** Text as bytes, without a byte order mark. Undefined when the encoding has no such character. */
export function encodeText(text: string, encoding: FileEncoding): Buffer | undefined {
  switch (encoding) {
    case "utf-8":
      return Buffer.from(text, "utf8");
    case "utf-16le":
      return Buffer.from(text, "utf16le");
    case "utf-16be":
      return Buffer.from(text, "utf16le").swap16();
    case "latin-1":
      return /^[\0-\xff]*$/.test(text) ? Buffer.from(text, "latin1") : undefined;
  }
}

/** Most characters of most scripts that are kept in UTF-16 have a zero as one of their two bytes somewhere: spaces, lines. */
function utf16Pattern(head: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (head.length < 4 || head.length % 2 !== 0) return undefined;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < head.length; at += 2) {
    if (head[at] === 0) even += 1;
    if (head[at + 1] === 0) odd += 1;
  }
  const pairs = head.length / 2;
  if (odd > pairs * 0.7 && even === 0) return "utf-16le";
  if (even > pairs * 0.7 && odd === 0) return "utf-16be";
  return undefined;
}

function isUtf8(bytes: Uint8Array, isWhole: boolean): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: !isWhole });
    return true;
  } catch {
    return false;
  }
}

/** Control characters but tab, line feed, form feed, carriage return, backspace and escape. */
function countControls(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) {
    if (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 8 && byte !== 27)
      count += 1;
  }
  return count;
}

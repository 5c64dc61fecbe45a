import { detectEncoding } from "../text-encoding.js";
import { decodeEscapedUtf8, encodeEscapedUtf8 } from "./escaped-utf8.js";

/** How a file's bytes are read as text, so that the same bytes come back where nothing was changed. */
export interface TextCoding {
  readonly name: "utf-8" | "utf-16le" | "utf-16be" | "latin-1";
  readonly text: string;
  /** The bytes of a changed text. Undefined when it has a character that this coding cannot hold. */
  encode(text: string): Uint8Array | undefined;
}

/**
 * The ways to read a file, the likely one first: none for what is no text. A file that is neither UTF-8 nor UTF-16 is read
 * byte by byte as Latin-1, as `read` does, and failing that as UTF-8 whose wrong bytes stand for themselves.
 */
export function readCodings(bytes: Uint8Array): readonly (() => TextCoding)[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const encoding = detectEncoding(buffer, true)?.encoding;
  switch (encoding) {
    case undefined:
      return [];
    case "utf-16le":
    case "utf-16be":
      return buffer.length % 2 === 0 ? [() => utf16(buffer, encoding)] : [];
    case "latin-1":
      return [
        () => ({ name: encoding, text: buffer.toString("latin1"), encode: encodeLatin1 }),
        () => escapedUtf8(buffer),
      ];
    case "utf-8": {
      const text = decodeUtf8(buffer);
      return [
        () => (text === undefined ? escapedUtf8(buffer) : { name: encoding, text, encode: encodeUtf8 }),
      ];
    }
  }
}

function escapedUtf8(buffer: Buffer): TextCoding {
  return { name: "utf-8", text: decodeEscapedUtf8(buffer), encode: encodeEscapedUtf8 };
}

function utf16(buffer: Buffer, name: "utf-16le" | "utf-16be"): TextCoding {
  const swap = (bytes: Buffer): Buffer => (name === "utf-16be" ? Buffer.from(bytes).swap16() : bytes);
  return {
    name,
    text: swap(buffer).toString("utf16le"),
    encode: (changed) => swap(Buffer.from(changed, "utf16le")),
  };
}

function decodeUtf8(buffer: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(buffer);
  } catch {
    return undefined;
  }
}

function encodeUtf8(text: string): Uint8Array | undefined {
  return /\p{Surrogate}/u.test(text) ? undefined : Buffer.from(text, "utf8");
}

function encodeLatin1(text: string): Uint8Array | undefined {
  return /^[\0-\u00FF]*$/.test(text) ? Buffer.from(text, "latin1") : undefined;
}

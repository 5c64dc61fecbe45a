/*
 * A shell's names, values and paths are bytes. Inside `shell/` they are strings of one character a byte (latin1). At the
 * edge they are text: UTF-8, and each byte that is none becomes a lone surrogate U+DC80 to U+DCFF, so that the way back
 * gives the same bytes (Python calls it surrogateescape). A file name that is not UTF-8 can so be remembered and entered.
 */

const isAscii = /^[\0-\x7f]*$/;
const escaped = /[\udc80-\udcff]/;
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Text → bytes, one character each. */
export function toShellBytes(text: string): string {
  if (isAscii.test(text)) return text;
  if (!escaped.test(text)) return Buffer.from(text, "utf8").toString("latin1");
  let bytes = "";
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const isEscape = code >= 0xdc80 && code <= 0xdcff;
    bytes += isEscape
      ? String.fromCharCode(code - 0xdc00)
      : Buffer.from(character, "utf8").toString("latin1");
  }
  return bytes;
}

/** Bytes, one character each → text. */
export function fromShellBytes(bytes: string): string {
  if (isAscii.test(bytes)) return bytes;
  const buffer = Buffer.from(bytes, "latin1");
  try {
    return strictUtf8.decode(buffer);
  } catch {
    return decodeEscaping(buffer);
  }
}

function decodeEscaping(buffer: Buffer): string {
  let text = "";
  for (let at = 0; at < buffer.length;) {
    const length = validSequenceLength(buffer, at);
    if (length === 0) {
      text += String.fromCharCode(0xdc00 + (buffer[at] ?? 0));
      at += 1;
    } else {
      text += buffer.toString("utf8", at, at + length);
      at += length;
    }
  }
  return text;
}

/** Length of the UTF-8 character at a place, 0 when there is none. */
function validSequenceLength(buffer: Buffer, at: number): number {
  const first = buffer[at] ?? 0;
  const length =
    first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > buffer.length) return 0;
  try {
    strictUtf8.decode(buffer.subarray(at, at + length));
    return length;
  } catch {
    return 0;
  }
}

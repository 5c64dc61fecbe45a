/** A byte that is part of no character stands in text as a lone surrogate: U+DC80 to U+DCFF, as in names of files. */
const escapeBase = 0xdc00;

/** Reads UTF-8 that has wrong bytes in it, so that the same bytes come back. */
export function decodeEscapedUtf8(buffer: Buffer): string {
  const pieces: string[] = [];
  let from = 0;
  let at = 0;
  while (at < buffer.length) {
    const length = sequenceLength(buffer, at);
    if (length > 0) {
      at += length;
      continue;
    }
    pieces.push(buffer.toString("utf8", from, at), String.fromCharCode(escapeBase + (buffer[at] ?? 0)));
    at += 1;
    from = at;
  }
  pieces.push(buffer.toString("utf8", from));
  return pieces.join("");
}

/** The way back. Undefined for text with a lone surrogate that stands for no byte. */
export function encodeEscapedUtf8(text: string): Uint8Array | undefined {
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(/\p{Surrogate}/gu)) {
    const byte = found.charCodeAt(0) - escapeBase;
    if (byte < 0x80 || byte > 0xff) return undefined;
    pieces.push(Buffer.from(text.slice(from, index), "utf8"), Buffer.of(byte));
    from = index + 1;
  }
  pieces.push(Buffer.from(text.slice(from), "utf8"));
  return Buffer.concat(pieces);
}

/** Bytes of the character that begins here, by table 3-7 of the Unicode standard; 0 when none does. */
function sequenceLength(buffer: Buffer, at: number): number {
  const lead = buffer[at] ?? 0;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  const [low, high] = secondByte(lead);
  const second = buffer[at + 1] ?? 0;
  if (second < low || second > high) return 0;
  for (let next = at + 2; next < at + length; next += 1) {
    if (((buffer[next] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return length;
}

function secondByte(lead: number): readonly [low: number, high: number] {
  if (lead === 0xe0) return [0xa0, 0xbf];
  if (lead === 0xed) return [0x80, 0x9f];
  if (lead === 0xf0) return [0x90, 0xbf];
  if (lead === 0xf4) return [0x80, 0x8f];
  return [0x80, 0xbf];
}

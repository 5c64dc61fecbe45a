import { archiveError, entryError } from "./archive-error.js";
import type { TarEntry, TarEntryKind } from "./tar-entry.js";

/** Archives are made of blocks of this many bytes. */
export const blockBytes = 512;

/** Bytes that fill up the last block of a content. */
export function paddingOf(sizeBytes: number): number {
  return (blockBytes - (sizeBytes % blockBytes)) % blockBytes;
}

/** A header block as it stands, before the extensions in front of it are applied. */
export interface TarHeader extends Omit<TarEntry, "kind"> {
  /** One character: `0` file, `5` directory, `x`, `L` … */
  readonly type: string;
}

const kinds: Readonly<Record<string, TarEntryKind>> = {
  "0": "file",
  "\0": "file",
  "7": "file",
  "1": "hardlink",
  "2": "symlink",
  "3": "characterDevice",
  "4": "blockDevice",
  "5": "directory",
  "6": "fifo",
};

/** What a header's type means, or undefined for an extension. */
export function kindOf(type: string): TarEntryKind | undefined {
  return kinds[type];
}

/** True for a block of zeros: the end of an archive. */
export function isZeroBlock(block: Buffer, at: number): boolean {
  for (let index = at; index < at + blockBytes; index++) if (block[index] !== 0) return false;
  return true;
}

/** Reads the header at a place. Throws FileError (`invalid`) when it is none. */
export function parseTarHeader(block: Buffer, at: number): TarHeader {
  checkSum(block, at);
  const type = block.toString("latin1", at + 156, at + 157);
  let name = text(block, at, 100);
  // GNU tar keeps other things where POSIX has the first part of a long name.
  const isPosix = block.toString("latin1", at + 257, at + 263) === "ustar\0";
  if (isPosix && block[at + 345] !== 0) name = `${text(block, at + 345, 155)}/${name}`;
  return {
    type,
    name,
    linkName: text(block, at + 157, 100),
    sizeBytes: number(block, at + 124, 12, name),
    mode: number(block, at + 100, 8, name) & 0o7777,
    mtimeSeconds: number(block, at + 136, 12, name),
  };
}

function text(block: Buffer, at: number, length: number): string {
  let end = at;
  while (end < at + length && block[end] !== 0) end += 1;
  return block.toString("latin1", at, end);
}

/** A number in octal digits, or in base 256 when its first bit is set. */
function number(block: Buffer, at: number, length: number, name: string): number {
  const first = block[at] ?? 0;
  let value = 0;
  if (first & 0x80) {
    const isNegative = (first & 0x40) !== 0;
    value = isNegative ? first - 0x100 : first & 0x3f;
    for (let index = at + 1; index < at + length; index++) value = value * 256 + (block[index] ?? 0);
  } else {
    const digits = block
      .toString("latin1", at, at + length)
      .replace(/\0.*$/s, "")
      .trim();
    if (!/^[0-7]*$/.test(digits)) throw entryError(name, "invalid", "has a number that is none");
    value = digits === "" ? 0 : Number.parseInt(digits, 8);
  }
  if (!Number.isSafeInteger(value))
    throw entryError(name, "invalid", "has a number that is too large for any file");
  return value;
}

function checkSum(block: Buffer, at: number): void {
  // The field itself counts as spaces. Old archives added bytes as signed numbers.
  let unsigned = 8 * 32;
  let signed = unsigned;
  for (let index = 0; index < blockBytes; index++) {
    if (index >= 148 && index < 156) continue;
    const byte = block[at + index] ?? 0;
    unsigned += byte;
    signed += byte < 128 ? byte : byte - 256;
  }
  const digits = block
    .toString("latin1", at + 148, at + 156)
    .replace(/\0.*$/s, "")
    .trim();
  const stated = Number.parseInt(digits, 8);
  if (!/^[0-7]+$/.test(digits) || (stated !== unsigned && stated !== signed)) {
    throw archiveError("invalid", "is damaged or no tar archive: a header does not match its checksum");
  }
}

import type { TarEntry, TarEntryKind } from "./tar-entry.js";
import { blockBytes, paddingOf } from "./tar-header.js";

const types: Readonly<Record<TarEntryKind, string>> = {
  file: "0",
  hardlink: "1",
  symlink: "2",
  characterDevice: "3",
  blockDevice: "4",
  directory: "5",
  fifo: "6",
};

const maxOctal = 0o77777777777;
/** Name of the member in front of one whose name or target is longer than a header holds, as GNU tar writes it. */
const longLinkName = "././@LongLink";

/** Bytes that the header of a member takes, the extensions in front of it included. */
export function tarHeaderBytes(entry: TarEntry): number {
  return blockBytes + longBytes(entry.name) + longBytes(entry.linkName);
}

function longBytes(text: string): number {
  if (text.length <= 100) return 0;
  return blockBytes + text.length + 1 + paddingOf(text.length + 1);
}

/**
 * Writes the header of a member at a place and returns the place behind it. Long names and sizes as GNU tar does: unlike
 * the newer POSIX form every tar understands that, busybox included. The owner is left to who extracts.
 */
export function writeTarHeader(into: Buffer, at: number, entry: TarEntry): number {
  let next = at;
  if (entry.linkName.length > 100) next = writeLong(into, next, "K", entry.linkName);
  if (entry.name.length > 100) next = writeLong(into, next, "L", entry.name);
  return writeBlock(into, next, types[entry.kind], entry);
}

function writeLong(into: Buffer, at: number, type: string, text: string): number {
  const sizeBytes = text.length + 1;
  const next = writeBlock(into, at, type, {
    name: longLinkName,
    linkName: "",
    sizeBytes,
    mode: 0o644,
    mtimeSeconds: 0,
  });
  const end = next + sizeBytes + paddingOf(sizeBytes);
  into.fill(0, next, end);
  into.write(text, next, "latin1");
  return end;
}

function writeBlock(into: Buffer, at: number, type: string, entry: Omit<TarEntry, "kind">): number {
  into.fill(0, at, at + blockBytes);
  into.write(entry.name.slice(0, 100), at, "latin1");
  into.write(octal(entry.mode & 0o7777, 7), at + 100, "latin1");
  into.write("0000000", at + 108, "latin1");
  into.write("0000000", at + 116, "latin1");
  if (entry.sizeBytes <= maxOctal) into.write(octal(entry.sizeBytes, 11), at + 124, "latin1");
  else writeBase256(into, at + 124, entry.sizeBytes);
  // Before 1970 and after 2242 no two readers agree.
  const mtime = Math.min(Math.max(Math.floor(entry.mtimeSeconds), 0), maxOctal);
  into.write(octal(mtime, 11), at + 136, "latin1");
  into.write("        ", at + 148, "latin1");
  into.write(type, at + 156, "latin1");
  into.write(entry.linkName.slice(0, 100), at + 157, "latin1");
  into.write("ustar  ", at + 257, "latin1");
  let sum = 0;
  for (let index = at; index < at + blockBytes; index++) sum += into[index] ?? 0;
  into.write(`${octal(sum, 6)}\0 `, at + 148, "latin1");
  return at + blockBytes;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}

function writeBase256(into: Buffer, at: number, value: number): void {
  let rest = value;
  for (let index = 11; index > 0; index--) {
    into[at + index] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  into[at] = 0x80;
}

/** The end of an archive: two blocks of zeros, filled up to the record that tar programs read at once. */
export function tarEnd(writtenBytes: number): Buffer {
  const record = 20 * blockBytes;
  const least = 2 * blockBytes;
  return Buffer.alloc(least + ((record - ((writtenBytes + least) % record)) % record));
}

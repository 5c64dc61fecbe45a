import { archiveError, entryError } from "./archive-error.js";
import { parsePaxRecords, type PaxRecords } from "./pax-records.js";
import type { TarEntry } from "./tar-entry.js";
import { blockBytes, isZeroBlock, kindOf, paddingOf, parseTarHeader, type TarHeader } from "./tar-header.js";

/** What a reader finds, in order: a member, then its content in pieces. */
export type TarEvent =
  | { readonly kind: "entry"; readonly entry: TarEntry }
  /** A view of what was pushed: good until the next `push`. */
  | { readonly kind: "data"; readonly bytes: Buffer };

/** Most bytes of a long name or an extended header. */
const maxExtensionBytes = 1024 * 1024;
/** Most extension headers in front of one member. */
const maxExtensions = 8;
/** Padding after the end that is still read: writers fill up their last record. */
const maxTrailingBytes = 16 * 1024 * 1024;

type Extension = "x" | "g" | "L" | "K";

/**
 * Reads a tar archive piece by piece: ustar, GNU long names and base-256 numbers, pax path, linkpath, size and mtime.
 * Holds one block and one extension at most. Throws FileError (`invalid`) for what is no archive.
 */
export class TarReader {
  #chunk: Buffer = Buffer.alloc(0);
  #at = 0;
  readonly #block = Buffer.alloc(blockBytes);
  #blockFilled = 0;
  #bodyLeft = 0;
  #paddingLeft = 0;
  #extension: { readonly type: Extension; readonly body: Buffer; filled: number } | undefined;
  #extensions = 0;
  #pax: PaxRecords = {};
  #longName: string | undefined;
  #longLink: string | undefined;
  #isAtEnd = false;
  #trailingBytes = 0;

  /** True once the archive's own end was read. */
  get isAtEnd(): boolean {
    return this.#isAtEnd;
  }

  /** Gives more bytes. Only when `next` has said that it needs them. */
  push(chunk: Uint8Array): void {
    this.#chunk = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    this.#at = 0;
  }

  /** What comes next, or undefined when more bytes are needed. */
  next(): TarEvent | undefined {
    while (this.#at < this.#chunk.length) {
      if (this.#isAtEnd) {
        this.#skipTrailing();
      } else if (this.#extension !== undefined) {
        this.#readExtension(this.#extension);
      } else if (this.#bodyLeft > 0) {
        return { kind: "data", bytes: this.#take(this.#bodyLeft, "body") };
      } else if (this.#paddingLeft > 0) {
        this.#take(this.#paddingLeft, "padding");
      } else {
        const entry = this.#readBlock();
        if (entry !== undefined) return { kind: "entry", entry };
      }
    }
    return undefined;
  }

  /** To be called after the last byte. Throws when the archive had not ended. */
  finish(): void {
    if (!this.#isAtEnd) throw archiveError("invalid", "ends in the middle: its sender was cut off");
  }

  #take(most: number, from: "body" | "padding"): Buffer {
    const bytes = this.#chunk.subarray(this.#at, this.#at + most);
    this.#at += bytes.length;
    if (from === "body") this.#bodyLeft -= bytes.length;
    else this.#paddingLeft -= bytes.length;
    return bytes;
  }

  #skipTrailing(): void {
    this.#trailingBytes += this.#chunk.length - this.#at;
    this.#at = this.#chunk.length;
    if (this.#trailingBytes > maxTrailingBytes) {
      throw archiveError("invalid", "goes on after its end");
    }
  }

  #readBlock(): TarEntry | undefined {
    if (this.#blockFilled === 0 && this.#chunk.length - this.#at >= blockBytes) {
      const at = this.#at;
      this.#at += blockBytes;
      return this.#readHeader(this.#chunk, at);
    }
    const copied = this.#chunk.copy(this.#block, this.#blockFilled, this.#at);
    this.#at += copied;
    this.#blockFilled += copied;
    if (this.#blockFilled < blockBytes) return undefined;
    this.#blockFilled = 0;
    return this.#readHeader(this.#block, 0);
  }

  #readHeader(block: Buffer, at: number): TarEntry | undefined {
    if (block[at] === 0 && isZeroBlock(block, at)) {
      if (this.#extensions > 0) throw archiveError("invalid", "ends after an extended header");
      this.#isAtEnd = true;
      return undefined;
    }
    const header = parseTarHeader(block, at);
    if (header.type === "x" || header.type === "g" || header.type === "L" || header.type === "K") {
      this.#beginExtension(header, header.type);
      return undefined;
    }
    return this.#beginEntry(header);
  }

  #beginExtension({ sizeBytes, name }: TarHeader, type: Extension): void {
    this.#extensions += 1;
    if (sizeBytes < 0 || sizeBytes > maxExtensionBytes || this.#extensions > maxExtensions) {
      throw entryError(name, "too_large", "has an extended header beyond all measure");
    }
    this.#extension = { type, body: Buffer.alloc(sizeBytes), filled: 0 };
    this.#paddingLeft = paddingOf(sizeBytes);
    // An empty one has no byte to wait for.
    if (sizeBytes === 0) this.#endExtension(type, this.#extension.body);
  }

  #readExtension(extension: { readonly type: Extension; readonly body: Buffer; filled: number }): void {
    const copied = this.#chunk.copy(extension.body, extension.filled, this.#at);
    extension.filled += copied;
    this.#at += copied;
    if (extension.filled === extension.body.length) this.#endExtension(extension.type, extension.body);
  }

  #endExtension(type: Extension, body: Buffer): void {
    this.#extension = undefined;
    if (type === "x") this.#pax = { ...this.#pax, ...parsePaxRecords(body) };
    else if (type === "L") this.#longName = body.toString("latin1").replace(/\0.*$/s, "");
    else if (type === "K") this.#longLink = body.toString("latin1").replace(/\0.*$/s, "");
    else if (Object.keys(parsePaxRecords(body)).some((key) => key !== "mtime")) {
      throw archiveError("invalid", "gives one name or size to all of its members");
    }
    // A global header stands for itself: nothing has to follow it.
    if (type === "g") this.#extensions -= 1;
  }

  #beginEntry(header: TarHeader): TarEntry {
    const name = this.#pax.path ?? this.#longName ?? header.name;
    const linkName = this.#pax.linkpath ?? this.#longLink ?? header.linkName;
    const sizeBytes = this.#pax.size ?? header.sizeBytes;
    const mtimeSeconds = this.#pax.mtime ?? header.mtimeSeconds;
    this.#pax = {};
    this.#longName = undefined;
    this.#longLink = undefined;
    this.#extensions = 0;
    const stated = kindOf(header.type);
    if (stated === undefined) {
      throw entryError(
        name,
        "invalid",
        `is of the type ${JSON.stringify(header.type)}, which is not supported`,
      );
    }
    if (name === "") throw entryError(name, "invalid", "has no name");
    // Before there was a type for directories, a slash at the end told them.
    const kind = stated === "file" && name.endsWith("/") ? "directory" : stated;
    const isLink = kind === "symlink" || kind === "hardlink";
    if (sizeBytes < 0) throw entryError(name, "invalid", "has a negative size");
    // Readers of tar disagree whether such content is there, so a member could be hidden in it.
    if (kind !== "file" && sizeBytes > 0) {
      throw entryError(name, "invalid", `is a ${kind} and yet has content`);
    }
    this.#bodyLeft = sizeBytes;
    this.#paddingLeft = paddingOf(sizeBytes);
    return { kind, name, linkName: isLink ? linkName : "", sizeBytes, mode: header.mode, mtimeSeconds };
  }
}

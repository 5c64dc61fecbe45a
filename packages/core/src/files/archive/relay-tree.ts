import type { ArchiveRules } from "./archive-rules.js";
import { TarReader } from "./tar-reader.js";
import { paddingOf } from "./tar-header.js";
import { tarEnd, tarHeaderBytes, writeTarHeader } from "./tar-writer.js";
import type { TarEntry } from "./tar-entry.js";
import type { TreeReport } from "./tree-report.js";

export interface RelayTreeOptions {
  readonly rules: ArchiveRules;
  readonly report: TreeReport;
  /** Bytes in front of every name of the new archive. */
  readonly prefix: string;
  readonly last: readonly TarEntry[];
  /** Awaited when all was read, before the new archive ends. It may throw: then it never does. */
  readonly beforeEnd?: (() => Promise<void>) | undefined;
}

/**
 * Reads an archive that may be hostile and writes a new one of what the rules let pass, in constant memory: who extracts
 * that never sees a byte of the sender's headers.
 */
export async function* relayTree(
  chunks: AsyncIterable<Uint8Array>,
  { rules, report, prefix, last, beforeEnd }: RelayTreeOptions,
): AsyncGenerator<Buffer> {
  const reader = new TarReader();
  let written = 0;
  let current: TarEntry | undefined;
  let left = 0;
  const sized = (bytes: Buffer): Buffer => {
    written += bytes.length;
    return bytes;
  };
  for await (const chunk of chunks) {
    const parts: Buffer[] = [];
    reader.push(chunk);
    for (let event = reader.next(); event !== undefined; event = reader.next()) {
      if (event.kind === "data") {
        if (current === undefined) continue;
        parts.push(event.bytes);
        report.addBytes(event.bytes.length);
        left -= event.bytes.length;
        if (left === 0) parts.push(Buffer.alloc(paddingOf(current.sizeBytes)));
        continue;
      }
      current = undefined;
      const passed = pass(event.entry, rules, report, prefix);
      if (passed === undefined) continue;
      parts.push(headerOf(passed));
      left = passed.sizeBytes;
      if (left > 0) current = passed;
    }
    // What was read is a view of the chunk: it is copied before the next one comes.
    if (parts.length > 0) yield sized(Buffer.concat(parts));
  }
  reader.finish();
  await beforeEnd?.();
  for (const entry of last) yield sized(headerOf(entry));
  yield tarEnd(written);
}

function pass(
  entry: TarEntry,
  rules: ArchiveRules,
  report: TreeReport,
  prefix: string,
): TarEntry | undefined {
  const verdict = rules.judge(entry);
  if (verdict.kind === "skip") report.skip(entry.name, verdict.reason);
  if (verdict.kind !== "take") return undefined;
  const path = verdict.parts.join("/");
  if (entry.kind !== "directory" || path !== "") report.add({ ...entry, name: path });
  if ((entry.mode & 0o7000) !== 0 && entry.kind !== "symlink") report.dropBits(entry);
  return {
    ...entry,
    mode: entry.mode & 0o777,
    name: `${prefix}${path}${entry.kind === "directory" && path !== "" ? "/" : ""}`,
    linkName: entry.kind === "hardlink" ? `${prefix}${(verdict.linkParts ?? []).join("/")}` : entry.linkName,
  };
}

function headerOf(entry: TarEntry): Buffer {
  const header = Buffer.alloc(tarHeaderBytes(entry));
  writeTarHeader(header, 0, entry);
  return header;
}

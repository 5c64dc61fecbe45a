import type { TreeReport } from "../archive/tree-report.js";
import type { TransferResult } from "./transfer-options.js";

/** Said where bytes had to be made into text on their way. */
export const slowNote =
  "This sandbox takes and gives nothing but text, so the bytes travelled as base64 in pieces: expect no speed.";

export function treeResult(path: string, report: TreeReport, notes: readonly string[]): TransferResult {
  return {
    path,
    kind: "tree",
    bytes: report.bytes,
    files: report.files,
    directories: report.directories,
    links: report.links,
    skipped: report.skipped,
    skippedCount: report.skippedCount,
    verified: "size",
    notes: [...report.notes, ...notes],
  };
}

export function fileResult(
  path: string,
  bytes: number,
  verified: "size" | "sha256",
  notes: readonly string[],
): TransferResult {
  return {
    path,
    kind: "file",
    bytes,
    files: 1,
    directories: 0,
    links: 0,
    skipped: [],
    skippedCount: 0,
    verified,
    notes,
  };
}

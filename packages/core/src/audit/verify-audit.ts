import { createReadStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { hashOfLine } from "./audit-chain.js";
import { auditFileName, auditFileNumbers, auditFolder } from "./audit-folder.js";
import { parseEntry } from "./read-audit.js";

/** What `verifyAudit` found. */
export interface AuditVerification {
  /** Entries that were looked at. */
  readonly entries: number;
  /** Lines that are no entries, entries that were changed, or that follow others which are gone. In sentences. */
  readonly problems: readonly string[];
}

const mostProblems = 100;

/**
 * Follows each writer's chain of hashes. Shows damage and careless edits; who may write the files can also write a new
 * chain, and entries at the end of a chain can be cut off unseen. Entries removed with the oldest files are no problem.
 */
export async function verifyAudit(talariaHome: string): Promise<AuditVerification> {
  const folder = auditFolder(talariaHome);
  const latest = new Map<string, { readonly seq: number; readonly hash: string }>();
  const problems: string[] = [];
  let entries = 0;
  const numbers = await auditFileNumbers(folder);
  for (const number of numbers) {
    const name = auditFileName(number);
    let lineNumber = 0;
    const lines = createInterface({ input: createReadStream(join(folder, name)), crlfDelay: Infinity });
    for await (const line of lines) {
      lineNumber += 1;
      const entry = parseEntry(line);
      const tell = (what: string): void => {
        if (problems.length < mostProblems) problems.push(`${name}:${lineNumber}: ${what}`);
      };
      if (entry === undefined) {
        if (line !== "") tell("this line is no entry");
        continue;
      }
      entries += 1;
      const before = latest.get(entry.writer);
      // The beginning may have gone with a file that was old enough; within a chain nothing may be missing.
      const isFirstSeen = before === undefined && (entry.prev === null || numbers[0] !== 1 || number !== 1);
      if (before === undefined ? !isFirstSeen : entry.seq !== before.seq + 1)
        tell("entries before this one are missing");
      else if (before !== undefined && entry.prev !== before.hash)
        tell("the entry before this one was changed");
      latest.set(entry.writer, { seq: entry.seq, hash: hashOfLine(line) });
    }
  }
  return { entries, problems };
}

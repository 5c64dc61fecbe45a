import type { MirroredFile } from "./mirrored-file.js";

/** Hash of a file that is being changed: it equals no content, so an interrupted sync is taken up again. */
export const pendingHash = "pending";
const version = 1;
/** What a record may have at most when it is read back. */
export const maxRecordBytes = 16 * 1024 * 1024;

/**
 * What Talaria put into a sandbox, as the sandbox keeps it (`<base>/.cache-sync/<home id>.json`): it lives and ends with
 * the files that it names. Nothing on the host depends on it: whoever tampers with it inside only confuses what is
 * deleted or sent below the base.
 */
export type SandboxRecord = ReadonlyMap<string, MirroredFile>;

/** ASCII only, so that it survives any transport of text. */
export function writeRecord(record: Iterable<MirroredFile>): string {
  const files = Array.from(record, ({ path, mode, hash }) => [path, mode, hash]);
  return JSON.stringify({ version, files }).replaceAll(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Null for what is not a whole record of ours. Entries that lead out of the base are dropped. */
export function readRecord(text: string): SandboxRecord | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const { version: found, files } = value as Record<string, unknown>;
  if (found !== version || !Array.isArray(files)) return null;
  const record = new Map<string, MirroredFile>();
  for (const entry of files as unknown[]) {
    const [path, mode, hash] = Array.isArray(entry) ? (entry as unknown[]) : [];
    if (typeof path !== "string" || typeof mode !== "number" || typeof hash !== "string") return null;
    if (isBelow(path)) record.set(path, { path, mode, hash });
  }
  return record;
}

function isBelow(path: string): boolean {
  return (
    !path.includes("\0") && path.split("/").every((part) => part !== "" && part !== "." && part !== "..")
  );
}

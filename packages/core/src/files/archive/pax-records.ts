import { archiveError } from "./archive-error.js";

/** What an extended header says of the member behind it. Names are bytes, one character each. */
export interface PaxRecords {
  readonly path?: string;
  readonly linkpath?: string;
  readonly size?: number;
  readonly mtime?: number;
}

/**
 * Reads `length key=value\n` records. Records that would change where bytes go in a way not handled here (sparse files)
 * are refused; what is only informative is left out.
 */
export function parsePaxRecords(body: Buffer): PaxRecords {
  const records: { path?: string; linkpath?: string; size?: number; mtime?: number } = {};
  for (let at = 0; at < body.length;) {
    const space = body.indexOf(0x20, at);
    const digits = space === -1 ? "" : body.toString("latin1", at, space);
    const length = /^[1-9][0-9]{0,8}$/.test(digits) ? Number(digits) : 0;
    const end = at + length;
    const equals = body.indexOf(0x3d, space);
    if (end > body.length || end <= space || body[end - 1] !== 0x0a || equals === -1 || equals >= end) {
      throw archiveError("invalid", "is damaged: an extended header cannot be read");
    }
    set(records, body.toString("latin1", space + 1, equals), body.toString("latin1", equals + 1, end - 1));
    at = end;
  }
  return records;
}

function set(
  records: { path?: string; linkpath?: string; size?: number; mtime?: number },
  key: string,
  value: string,
): void {
  if (key.startsWith("GNU.sparse.")) {
    throw archiveError("invalid", "holds a sparse file, which is not supported: make it without --sparse");
  }
  if (key === "path" || key === "linkpath") {
    if (value.includes("\0")) throw archiveError("invalid", "holds a name with a NUL byte");
    records[key] = value;
  } else if (key === "size" || key === "mtime") {
    const number = /^-?[0-9]+(\.[0-9]*)?$/.test(value) ? Number(value) : Number.NaN;
    const isUsable = key === "mtime" ? Number.isFinite(number) : Number.isSafeInteger(number) && number >= 0;
    if (!isUsable) throw archiveError("invalid", `is damaged: its ${key} "${value.slice(0, 40)}" is none`);
    records[key] = number;
  }
}

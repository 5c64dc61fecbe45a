import { readdir } from "node:fs/promises";
import { join } from "node:path";

const namePattern = /^audit-(\d{8})\.jsonl$/;

/** Where the audit is. */
export function auditFolder(talariaHome: string): string {
  return join(talariaHome, "audit");
}

/** The name of the file of a number. Files are written in the order of their numbers. */
export function auditFileName(number: number): string {
  return `audit-${String(number).padStart(8, "0")}.jsonl`;
}

/** The number of a file of the audit; undefined for any other. */
function auditFileNumber(name: string): number | undefined {
  const digits = namePattern.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The numbers of the files that are there, oldest first. None where there is no folder. */
export async function auditFileNumbers(folder: string): Promise<readonly number[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return auditFileNumbersOf(names);
}

/** The same from the names in the folder. */
export function auditFileNumbersOf(names: readonly string[]): readonly number[] {
  return names.flatMap((name) => auditFileNumber(name) ?? []).toSorted((one, other) => one - other);
}

import { randomUUID } from "node:crypto";
import { open, realpath, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { makePrivateFolder } from "./private-folder.js";

/**
 * Replaces a file by new text in one step: a reader sees the old or the new, and a full disk leaves the old. Mode 0600
 * whatever it was before, because it may hold secrets. A link stays a link: the file it leads to is replaced.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  await makePrivateFolder(dirname(path));
  const target = await realpath(path).catch(() => path);
  const temporary = `${target}.${randomUUID()}.tmp`;
  try {
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(text, "utf8");
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

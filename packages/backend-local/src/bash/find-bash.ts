import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";
import { bashVersion, isNewEnough, type BashVersion } from "./bash-version.js";

export type BashSearch =
  | { readonly kind: "found"; readonly path: string; readonly version: BashVersion }
  /** There is one, and it cannot carry a warm shell. */
  | { readonly kind: "tooOld"; readonly path: string; readonly version: BashVersion }
  | { readonly kind: "missing" };

/** Where a newer bash is put by those who need one, besides PATH. */
const usualFolders = ["/opt/homebrew/bin", "/usr/local/bin", "/bin", "/usr/bin"];

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Every bash along PATH and in the usual places, in that order; only `shell` when the user named one. */
export function bashCandidates(shell: string | undefined, searchPath: string | undefined): string[] {
  if (shell !== undefined) return isProgram(shell) ? [shell] : [];
  const folders = [
    ...(searchPath ?? "").split(":").filter((folder) => folder.startsWith("/")),
    ...usualFolders,
  ];
  return [...new Set(folders.map((folder) => join(folder, "bash")))].filter(isProgram);
}

/** The first bash that is new enough, else the first there is. Runs each that it looks at. */
export async function findBash(
  shell: string | undefined,
  searchPath: string | undefined,
): Promise<BashSearch> {
  let old: BashSearch = { kind: "missing" };
  for (const path of bashCandidates(shell, searchPath)) {
    const version = await bashVersion(path);
    if (version === undefined) continue;
    if (isNewEnough(version)) return { kind: "found", path, version };
    if (old.kind === "missing") old = { kind: "tooOld", path, version };
  }
  return old;
}

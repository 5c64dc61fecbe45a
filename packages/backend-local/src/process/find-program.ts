import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";

/** Why a program was not found where it was looked for. */
export type ProgramSearch =
  | { readonly kind: "found"; readonly path: string }
  | { readonly kind: "missing" }
  /** A file of that name is there, and may not be executed. */
  | { readonly kind: "notExecutable"; readonly path: string };

/** What `execvp` uses when PATH is not set. */
const defaultPath = "/usr/local/bin:/bin:/usr/bin";

/** Every place a program of this name could be, in the order in which `execvp` tries them. */
function candidates(program: string, searchPath: string | undefined, cwd: string): string[] {
  if (program.includes("/")) return [program.startsWith("/") ? program : join(cwd, program)];
  return (searchPath ?? defaultPath)
    .split(":")
    .map((folder) => join(folder.startsWith("/") ? folder : join(cwd, folder), program));
}

/** Looks a program up as `execvp` does: as it is when it has a slash, else along `searchPath`. */
export function findProgram(program: string, searchPath: string | undefined, cwd: string): ProgramSearch {
  let refused: string | undefined;
  for (const path of candidates(program, searchPath, cwd)) {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) continue;
    try {
      accessSync(path, constants.X_OK);
      return { kind: "found", path };
    } catch {
      refused ??= path;
    }
  }
  return refused === undefined ? { kind: "missing" } : { kind: "notExecutable", path: refused };
}

import type { RegisteredProvider } from "@talaria/core";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { DoctorRow } from "./doctor-row.js";

/** Programs in the sandbox that the file tools are better with, and what is without them. */
const tools = [
  {
    id: "ripgrep",
    program: "rg",
    without: "files are searched with grep and find: the same results, more slowly",
    hint: "install ripgrep where the commands run",
    isNeeded: false,
  },
  {
    id: "tar",
    program: "tar",
    without: "files and trees cannot be copied as streams",
    hint: "install tar where the commands run",
    isNeeded: true,
  },
] as const;

/**
 * Whether the sandbox has what the file tools use. Looked at only where commands run on this very host: anywhere else a
 * sandbox would have to be made, which doctor never does.
 */
export async function toolRows({ name, flags }: RegisteredProvider): Promise<readonly DoctorRow[]> {
  if (flags.isRemote || flags.isContainer) return [];
  return Promise.all(
    tools.map(async ({ id, program, without, hint, isNeeded }): Promise<DoctorRow> => {
      const row = { backend: name, id, label: id };
      const path = await findProgram(program);
      if (path !== undefined) return { ...row, status: "ok", reason: "ok", detail: path };
      return {
        ...row,
        status: isNeeded ? "warning" : "info",
        reason: `no_${id}`,
        detail: `not on the PATH: ${without}`,
        hint,
      };
    }),
  );
}

async function findProgram(program: string): Promise<string | undefined> {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    if (folder === "") continue;
    const path = join(folder, program);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}

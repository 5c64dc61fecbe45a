import { FileError } from "../errors/errors.js";
import { fromShellBytes } from "../shell/shell-bytes.js";
import { asSandboxPath } from "../workdir/paths.js";
import { readPlan } from "./change-plan.js";
import type { FileStat, StatOptions } from "./file-facts.js";
import { answerFields, pathField } from "./file-failure.js";
import type { FileShell } from "./file-shell.js";
import { missingWithNames } from "./read-script.js";
import { fail, resolveText } from "./resolve-script.js";
import { parseStatLine, statText } from "./stat-text.js";

/** What the sandbox says of a path. Nothing is refused here: nothing is read. */
export async function statFile(shell: FileShell, asked: string, options: StatOptions): Promise<FileStat> {
  const path = shell.path(asked);
  const followLast = options.followLinks ?? true;
  const call = { operation: "stat", path, signal: options.signal };
  const plan = { ...readPlan(path, { followLast, onMissing: missingWithNames }), judges: false };
  const script = [
    resolveText(plan),
    `z=$(${statText('"./$b"', false)}) || ${fail("failed")}`,
    `t=; [ ! -L "./$b" ] || t=$(readlink "./$b" && printf .)`,
    `printf '=%s\\0%s\\0%s\\0' "$r" "$z" "$t"; exit 0`,
  ].join("\n");
  const { fields } = answerFields(await shell.run(script, call), 3, {
    backend: shell.access.backend,
    ...call,
  });
  const line = parseStatLine(fields[1] ?? "", asked);
  const target = fields[2] ?? "";
  return {
    path: asSandboxPath(pathField(fields, 0)),
    ...line,
    ...(line.type === "symlink" ? { linkTarget: fromShellBytes(target.slice(0, -2)) } : {}),
  };
}

/** Whether there is something. Throws as `stat` for all but its absence. */
export async function fileExists(
  shell: FileShell,
  asked: string,
  options: { readonly signal?: AbortSignal | undefined },
): Promise<boolean> {
  try {
    await statFile(shell, asked, options);
    return true;
  } catch (error) {
    if (error instanceof FileError && (error.reason === "not_found" || error.reason === "not_directory"))
      return false;
    throw error;
  }
}

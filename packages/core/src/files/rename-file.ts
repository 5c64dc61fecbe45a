import { asSandboxPath, type SandboxPath } from "../workdir/paths.js";
import { changePlan } from "./change-plan.js";
import { answerFields, pathField } from "./file-failure.js";
import type { FileShell } from "./file-shell.js";
import { missingWithNames } from "./read-script.js";
import { fail, resolveText } from "./resolve-script.js";
import type { RenameOptions } from "./tree-options.js";

/** Gives a file, a link itself or a directory another name or place. */
export async function renameFile(
  shell: FileShell,
  from: string,
  to: string,
  options: RenameOptions,
): Promise<SandboxPath> {
  const source = shell.path(from);
  const target = shell.path(to);
  const call = { operation: "rename", path: source, signal: options.signal, standing: true };
  const choice = { followLast: false, allowSensitive: options.allowSensitive };
  const sourcePlan = await changePlan(shell, source, { ...choice, onMissing: missingWithNames });
  const targetPlan = await changePlan(shell, target, choice);
  const script = [
    "w=$PWD",
    resolveText(sourcePlan),
    `[ "$b" != . ] || [ "$r" = / ] || { cd -P .. && b=\${r##*/}; } || ${fail("failed")}`,
    `[ "$r" != / ] || ${fail("keeps_root")}`,
    `case $H/ in "$r"/*) ${fail("keeps_home")};; esac`,
    `case $w/ in "$r"/*) ${fail("keeps_cwd")};; esac`,
    // The directory is the path that was just found without links, so that its look and its use are the same place.
    "e=$PWD a=$b f=$r",
    'i=; [ ! -d "./$b" ] || [ -L "./$b" ] || i=1',
    `cd -- "$w" || ${fail("failed", '"$w"')}`,
    resolveText({ ...targetPlan, path: { ...target, isDirectory: false } }),
    `[ "$r" != "$f" ] || { printf '=%s\\0' "$r"; exit 0; }`,
    `[ -z "$i" ] || case $r in "$f"/*) ${fail("into_itself")};; esac`,
    'if [ -d "./$b" ] && [ ! -L "./$b" ]; then',
    `${fail("exists")}`,
    'elif [ -e "./$b" ] || [ -L "./$b" ]; then',
    options.overwrite === true ? `[ -z "$i" ] || ${fail("not_directory")}` : fail("exists"),
    "fi",
    `[ "$e" = / ] && e=`,
    `mv -f -- "$e/$a" "./$b" || ${fail("failed")}`,
    `printf '=%s\\0' "$r"; exit 0`,
  ].join("\n");
  const { fields } = answerFields(await shell.run(script, call), 1, {
    backend: shell.access.backend,
    ...call,
  });
  return asSandboxPath(pathField(fields, 0));
}

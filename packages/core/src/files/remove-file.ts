import { changePlan } from "./change-plan.js";
import { answerFields } from "./file-failure.js";
import type { FileShell } from "./file-shell.js";
import { missingWithNames } from "./read-script.js";
import { fail, resolveText } from "./resolve-script.js";
import type { RemoveOptions } from "./tree-options.js";

/** Removes a file, a link itself, or a directory. */
export async function removeFile(shell: FileShell, asked: string, options: RemoveOptions): Promise<void> {
  const path = shell.path(asked);
  const call = { operation: "remove", path, signal: options.signal, standing: true };
  const plan = await changePlan(shell, path, {
    followLast: false,
    allowSensitive: options.allowSensitive,
    onMissing: options.ifExists === true ? `printf '=%s\\0' "$r"` : missingWithNames,
  });
  const script = [
    resolveText(plan),
    // A directory that was named by a way into it is removed by its name.
    `[ "$b" != . ] || [ "$r" = / ] || { cd -P .. && b=\${r##*/}; } || ${fail("failed")}`,
    `[ "$r" != / ] || ${fail("keeps_root")}`,
    'if [ -d "./$b" ] && [ ! -L "./$b" ]; then',
    `case $H/ in "$r"/*) ${fail("keeps_home")};; esac`,
    `case $s/ in "$r"/*) ${fail("keeps_cwd")};; esac`,
    `${options.recursive === true ? "rm -rf" : "rmdir"} "./$b" || ${fail("failed")}`,
    `else rm -f "./$b" || ${fail("failed")}; fi`,
    `printf '=%s\\0' "$r"; exit 0`,
  ].join("\n");
  answerFields(await shell.run(script, call), 1, { backend: shell.access.backend, ...call });
}

import { asSandboxPath, type SandboxPath } from "../workdir/paths.js";
import { changePlan } from "./change-plan.js";
import { checkMode } from "./check-number.js";
import { answerFields, pathField } from "./file-failure.js";
import type { FileShell } from "./file-shell.js";
import { fail, resolveText } from "./resolve-script.js";
import type { MkdirOptions } from "./tree-options.js";

/** Makes a directory, by default with what is missing of its path. */
export async function makeDirectory(
  shell: FileShell,
  asked: string,
  options: MkdirOptions,
): Promise<SandboxPath> {
  checkMode(options.mode);
  const parents = options.parents ?? true;
  const path = shell.path(asked);
  const call = { operation: "mkdir", path, signal: options.signal };
  const plan = await changePlan(shell, path, {
    followLast: parents,
    allowSensitive: options.allowSensitive,
    createParents: parents,
  });
  const chmod =
    options.mode === undefined
      ? ""
      : `chmod ${(options.mode & 0o7777).toString(8)} "./$b" || ${fail("failed")}`;
  const script = [
    // A slash at the end of the name of a directory that is to be made is no mistake.
    resolveText({ ...plan, path: { ...path, isDirectory: false } }),
    'if [ -e "./$b" ] || [ -L "./$b" ]; then',
    parents ? `[ -d "./$b" ] || ${fail("exists")}` : fail("exists"),
    `else mkdir "./$b" || { [ -d "./$b" ] && ${parents ? ":" : fail("exists")}; } || ${fail("failed")}`,
    chmod,
    "fi",
    `printf '=%s\\0' "$r"; exit 0`,
  ].join("\n");
  const { fields } = answerFields(await shell.run(script, call), 1, {
    backend: shell.access.backend,
    ...call,
  });
  return asSandboxPath(pathField(fields, 0));
}

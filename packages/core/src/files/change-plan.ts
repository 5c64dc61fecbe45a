import type { FileShell } from "./file-shell.js";
import type { FilePath } from "./file-path.js";
import type { ResolvePlan } from "./resolve-script.js";

/** How the path of an operation that changes something is resolved: under the rules for writing. */
export async function changePlan(
  shell: FileShell,
  path: FilePath,
  choice: {
    readonly followLast: boolean;
    readonly allowSensitive: boolean | undefined;
    readonly createParents?: boolean | undefined;
    readonly onMissing?: string | undefined;
  },
): Promise<ResolvePlan> {
  return {
    path,
    followLast: choice.followLast,
    createParents: choice.createParents,
    onMissing: choice.onMissing,
    policy: {
      isWrite: true,
      allowSensitive: choice.allowSensitive ?? shell.settings.allowSensitive ?? false,
    },
    home: await shell.physicalHome(path),
    roots: shell.settings.roots,
    rootPath: (root) => shell.path(root),
  };
}

/** How the path of an operation that only looks is resolved. */
export function readPlan(
  path: FilePath,
  choice: { readonly followLast: boolean; readonly onMissing?: string | undefined },
): ResolvePlan {
  return { path, ...choice, policy: { isWrite: false, allowSensitive: true } };
}

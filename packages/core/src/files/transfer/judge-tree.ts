import { FileError } from "../../errors/errors.js";
import { fromShellBytes, toShellBytes } from "../../shell/shell-bytes.js";
import { show } from "../file-path.js";
import type { FileShell } from "../file-shell.js";
import { sensitiveRules, type PathRule } from "../path-policy.js";
import type { SandboxTarget } from "./sandbox-place.js";
import type { TransferOptions } from "./transfer-options.js";

/** Told each name of a tree, relative to it, in bytes. Throws FileError `refused` for one that may not be written. */
export type TreeJudge = (name: string) => void;

/**
 * Judges what a tree brings into the sandbox by the rules that hold for each single write: a tree that goes into the home
 * must not bring `.bashrc` along. Names of a tree never go through links of the target, so no link changes where they lead.
 */
export async function treeJudge(
  shell: FileShell,
  asked: string,
  target: SandboxTarget,
  options: Pick<TransferOptions, "allowSensitive">,
): Promise<TreeJudge> {
  if (options.allowSensitive ?? shell.settings.allowSensitive ?? false) return () => {};
  const home = toShellBytes(fromShellBytes(await shell.physicalHome(shell.path(asked))));
  const rules = sensitiveRules.map((rule) => ({ rule, pattern: patternOf(rule, home === "/" ? "" : home) }));
  const any = new RegExp(rules.map(({ pattern }) => pattern).join("|"));
  const start = target.path === "/" ? "/" : `${toShellBytes(target.path)}/`;
  return (name) => {
    const path = start + name;
    if (!any.test(path)) return;
    const found = rules.find(({ pattern }) => new RegExp(pattern).test(path))?.rule;
    throw new FileError(
      asked,
      "refused",
      `Cannot transfer to ${show(asked)}: ${show(fromShellBytes(path))} ${found?.reason ?? ""} (rule "${found?.name ?? ""}").`,
      {
        backend: shell.access.backend,
        operation: "transfer",
        hint: "Exclude it; or, if it is meant, pass `allowSensitive: true` (`--allow-sensitive`), or open the session with `files: { allowSensitive: true }`. Nothing was changed.",
      },
    );
  };
}

/** A rule's shell patterns as one expression: each stands for itself and all below it. */
function patternOf({ paths }: PathRule, home: string): string {
  const parts = paths.map((path) => {
    const [before, rest] = path.startsWith("~") ? [quote(home), path.slice(1)] : ["", path];
    return before + rest.replace(/\[[^\]]*\]|[\s\S]/g, pieceOf);
  });
  return `^(?:${parts.join("|")})(?:/[\\s\\S]*)?$`;
}

/** `*` is any text, slashes too, as in `case`; a set is a set. */
function pieceOf(piece: string): string {
  if (piece === "*") return "[\\s\\S]*";
  if (piece === "?") return "[\\s\\S]";
  return piece.length > 1 ? piece.replace("[!", "[^") : quote(piece);
}

function quote(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

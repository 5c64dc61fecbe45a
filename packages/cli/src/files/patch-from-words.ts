import { InvalidArgumentError, type PatchedFile, type TerminalSession } from "@talaria/core";
import { isUtf8 } from "node:buffer";
import { success } from "../exit-status.js";
import { formatBytes } from "../output/amounts.js";
import { formatDocument } from "../output/json-document.js";
import { pathMember, visiblePath } from "../output/path-text.js";
import type { Look, Style } from "../output/style.js";
import { visibleText } from "../output/visible-text.js";
import { inSession } from "../program/in-session.js";
import type { Invocation } from "../program/invocation.js";
import { readInput } from "../program/read-input.js";
import type { ChangeOptions } from "./file-options.js";

export interface PatchOptions extends ChangeOptions {
  readonly find?: string;
  readonly replace?: string;
  readonly all?: true;
  readonly dryRun?: true;
}

/** More than this is no patch that somebody has written. */
const mostBytes = 16 * 1024 * 1024;

/** What a change is made from. */
type Change =
  | { readonly path: string; readonly find: string; readonly replace: string; readonly all: boolean }
  | { readonly patch: string };

/** Changes a part of a file, or applies a patch from stdin, and prints what changed as a diff. */
export async function patchFromWords(
  invocation: Invocation,
  path: string | undefined,
  options: PatchOptions,
): Promise<number> {
  const change = await readChange(invocation, path, options);
  const { stdout, messages } = invocation;
  return inSession(invocation, options, async (session, { signal }) => {
    const files = await apply(session, change, options, signal);
    if (options.json) {
      await stdout.write(formatDocument({ dryRun: options.dryRun === true, files: files.map(fileMember) }));
      return success;
    }
    for (const file of files) {
      await printDiff(invocation, file);
      for (const note of notesOf(file, options.dryRun === true)) messages.note(note);
    }
    return success;
  });
}

async function readChange(
  invocation: Invocation,
  path: string | undefined,
  { find, replace, all }: PatchOptions,
): Promise<Change> {
  if (find !== undefined && replace !== undefined && path !== undefined) {
    return { path, find, replace, all: all === true };
  }
  if (find !== undefined || replace !== undefined || path !== undefined || all !== undefined) {
    const missing = [
      path === undefined && "the file",
      find === undefined && "--find",
      replace === undefined && "--replace",
    ];
    throw new InvalidArgumentError(
      "find",
      `a replacement needs the file, --find and --replace; missing: ${missing.filter((part) => part !== false).join(", ")}`,
      {
        operation: "files.patch",
        hint: "talaria files patch FILE --find OLD --replace NEW, or a V4A patch on stdin and no other words",
      },
    );
  }
  const bytes = await readInput(invocation, {
    what: "the patch",
    mostBytes,
    tooLarge: () =>
      new InvalidArgumentError("stdin", `the patch on stdin has more than ${formatBytes(mostBytes)}`, {
        operation: "files.patch",
        hint: "write the file anew: talaria files write, or talaria files cp",
      }),
  });
  if (!isUtf8(bytes)) {
    throw new InvalidArgumentError("stdin", "the patch on stdin is not UTF-8", {
      operation: "files.patch",
      hint: "a patch is text; write such a file anew: talaria files write",
    });
  }
  return { patch: bytes.toString("utf8") };
}

async function apply(
  { files }: TerminalSession,
  change: Change,
  { dryRun, allowSensitive }: PatchOptions,
  signal: AbortSignal,
): Promise<readonly PatchedFile[]> {
  const shared = { dryRun, allowSensitive, signal };
  if ("patch" in change) return (await files.applyPatch(change.patch, shared)).files;
  const { path, ...edit } = change;
  return [await files.patch(path, [edit], shared)];
}

function fileMember({ path, movedFrom, ...file }: PatchedFile): object {
  return {
    ...pathMember("path", path),
    ...(movedFrom === undefined ? {} : pathMember("movedFrom", movedFrom)),
    ...file,
  };
}

async function printDiff(
  { stdout, stdoutIsTty, style }: Invocation,
  { diff, isDiffCut }: PatchedFile,
): Promise<void> {
  if (diff === "") return;
  const lines = diff.replace(/\n$/, "").split("\n");
  for (const line of lines)
    await stdout.write(`${stdoutIsTty ? lookOf(line, style)(visibleText(line)) : line}\n`);
  if (isDiffCut) await stdout.write("…\n");
}

function lookOf(line: string, style: Style): Look {
  if (line.startsWith("+++") || line.startsWith("---")) return style.bold;
  if (line.startsWith("+")) return style.good;
  return line.startsWith("-") ? style.bad : line.startsWith("@@") ? style.dim : (text) => text;
}

function notesOf(file: PatchedFile, dryRun: boolean): readonly string[] {
  const { path, operation, movedFrom, isChanged, edits, linesAdded, linesRemoved } = file;
  const name = visiblePath(path);
  if (!isChanged) return [`${name}: everything was there already, nothing was changed`];
  const would = dryRun ? "would be " : "";
  const done = {
    update: "changed",
    add: "made",
    delete: "removed",
    move: `moved from ${visiblePath(movedFrom ?? "")}`,
  }[operation];
  const tolerant = edits.filter(({ strategy }) => strategy !== "exact" && strategy !== "already_applied");
  const how = [...new Set(tolerant.map(({ strategy }) => strategy.replaceAll("_", " ")))];
  return [
    `${name} ${would}${done} (+${linesAdded} -${linesRemoved})`,
    ...(how.length === 0 ? [] : [`${name}: not found as written; the place was told by: ${how.join(", ")}`]),
  ];
}

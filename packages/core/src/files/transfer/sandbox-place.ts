import { FileError } from "../../errors/errors.js";
import { fromShellBytes, toShellBytes } from "../../shell/shell-bytes.js";
import { asSandboxPath, type SandboxPath } from "../../workdir/paths.js";
import { lastName } from "../archive/resolve-host-target.js";
import { changePlan, readPlan } from "../change-plan.js";
import { answerFields, pathField } from "../file-failure.js";
import type { FileType } from "../file-facts.js";
import type { FileShell } from "../file-shell.js";
import { show } from "../file-path.js";
import { fail, resolveText, type ResolvePlan } from "../resolve-script.js";
import { parseStatLine, statText } from "../stat-text.js";
import type { TransferOptions } from "./transfer-options.js";

/** A place of the sandbox, resolved by the sandbox itself. */
export interface SandboxPlace {
  /** Physical, links at its end followed. */
  readonly path: SandboxPath;
  readonly type: FileType | "missing";
  readonly sizeBytes: number;
  readonly mode: number;
  readonly modifiedMs: number;
}

async function look(
  shell: FileShell,
  asked: string,
  operation: string,
  signal: AbortSignal | undefined,
  planOf: (path: ReturnType<FileShell["path"]>) => ResolvePlan | Promise<ResolvePlan>,
): Promise<SandboxPlace> {
  const path = shell.path(asked);
  const call = { operation, path, signal };
  const script = [
    resolveText(await planOf(path)),
    // A directory is told by its own path, however it was named.
    '[ ! -d "./$b" ] || { cd -P -- "./$b" 2>/dev/null && b=. r=$PWD; } || ' + fail("permission"),
    `if [ -e "./$b" ]; then z=$(${statText('"./$b"', true)}) || ${fail("failed")}; else z=; fi`,
    `printf '=%s\\0%s\\0' "$r" "$z"; exit 0`,
  ].join("\n");
  const { fields } = answerFields(await shell.run(script, call), 2, {
    backend: shell.access.backend,
    ...call,
  });
  const place = { path: asSandboxPath(pathField(fields, 0)) };
  const line = fields[1] ?? "";
  if (line === "") return { ...place, type: "missing", sizeBytes: 0, mode: 0, modifiedMs: 0 };
  const { type, sizeBytes, mode, modifiedMs } = parseStatLine(line, asked);
  return { ...place, type, sizeBytes, mode, modifiedMs };
}

/** What is to be fetched: a file or a directory. */
export async function findSource(
  shell: FileShell,
  asked: string,
  operation: string,
  signal: AbortSignal | undefined,
): Promise<SandboxPlace> {
  const place = await look(shell, asked, operation, signal, (path) =>
    readPlan(path, { followLast: true, onMissing: fail("not_found") }),
  );
  if (place.type === "file" || place.type === "directory") return place;
  throw new FileError(
    asked,
    "not_regular",
    `Cannot ${operation} ${show(asked)}: it is neither a file nor a directory.`,
    { backend: shell.access.backend, operation },
  );
}

/** Where something is put in the sandbox. */
export interface SandboxTarget {
  /** Physical. */
  readonly path: SandboxPath;
  readonly directory: string;
  readonly name: string;
  readonly state: "new" | "merge" | "replace";
}

/**
 * Where `cp -r` would put something: into a directory that exists, else under the new name. The rules for writing are
 * asked about the place that it really is.
 *
 * @param sourceName bytes; empty to put a tree's content straight into the target
 */
export async function findTarget(
  shell: FileShell,
  asked: string,
  source: { readonly name: string; readonly kind: "file" | "tree" },
  operation: string,
  options: TransferOptions,
): Promise<SandboxTarget> {
  const lookForWriting = (path: string): Promise<SandboxPlace> =>
    look(shell, path, operation, options.signal, (parsed) =>
      changePlan(shell, parsed, {
        followLast: true,
        allowSensitive: options.allowSensitive,
        createParents: options.createParents,
      }),
    );
  const refuse = (reason: FileError["reason"], words: string): FileError =>
    new FileError(asked, reason, `Cannot ${operation} to ${show(asked)}: ${words}.`, {
      backend: shell.access.backend,
      operation,
      hint: "Name another target. Nothing was changed.",
    });
  let place = await lookForWriting(asked);
  if (place.type === "missing" && source.kind === "file" && asked.endsWith("/")) {
    throw refuse("not_directory", "there is no directory of that name");
  }
  if (place.type === "directory" && !(source.kind === "tree" && source.name === "")) {
    if (source.name === "") throw refuse("is_directory", "it is a directory");
    const base = place.path === "/" ? "" : place.path;
    place = await lookForWriting(`${base}/${fromShellBytes(source.name)}`);
  }
  const state = place.type === "missing" ? "new" : source.kind === "tree" ? "merge" : ("replace" as const);
  if (state === "merge" && place.type !== "directory") {
    throw refuse("not_directory", `${show(place.path)} is there already and is no directory`);
  }
  if (state === "replace") {
    if (place.type === "directory") throw refuse("is_directory", `${show(place.path)} is a directory`);
    if (place.type !== "file") throw refuse("not_regular", `${show(place.path)} is no regular file`);
    if (options.overwrite === false) {
      throw refuse("exists", `${show(place.path)} is there already, and \`overwrite\` is false`);
    }
  }
  const bytes = toShellBytes(place.path);
  const slash = bytes.lastIndexOf("/");
  return {
    path: place.path,
    directory: fromShellBytes(slash <= 0 ? "/" : bytes.slice(0, slash)),
    name: fromShellBytes(bytes.slice(slash + 1)),
    state,
  };
}

/** The name that a source gives its copy: bytes; empty when its path ends in a slash, and for a tree `.` and `..`. */
export function copiedName(asked: string, kind: "file" | "tree"): string {
  const bytes = toShellBytes(asked);
  return kind === "tree" && bytes.endsWith("/") ? "" : lastName(bytes);
}

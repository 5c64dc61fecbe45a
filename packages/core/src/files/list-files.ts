import { fromShellBytes } from "../shell/shell-bytes.js";
import { asSandboxPath } from "../workdir/paths.js";
import { readPlan } from "./change-plan.js";
import { wholeNumber } from "./check-number.js";
import { answerFields, pathField } from "./file-failure.js";
import type { FileShell } from "./file-shell.js";
import { missingWithNames } from "./read-script.js";
import { fail, resolveText } from "./resolve-script.js";
import { parseStatLine, statText } from "./stat-text.js";
import type { FileListing, ListedFile, ListOptions } from "./tree-options.js";

/** Bytes that all names of a listing may have, with what is told of each. */
const maxAnswerBytes = 64 * 1024 * 1024;

/** What is in a directory, down to a depth. Links are not followed. One round trip. */
export async function listFiles(shell: FileShell, asked: string, options: ListOptions): Promise<FileListing> {
  const depth = wholeNumber("depth", options.depth ?? 1, 1, 1000);
  const limit = wholeNumber("limit", options.limit ?? 2000, 1, 100_000);
  const path = shell.path(asked);
  const call = { operation: "list", path, signal: options.signal };
  const hidden = options.hidden === false ? "-name '.?*' -prune -o" : "";
  const script = [
    resolveText(readPlan(path, { followLast: true, onMissing: missingWithNames })),
    `[ -d "./$b" ] || ${fail("not_directory")}`,
    `cd -P -- "./$b" 2>/dev/null && [ -r . ] || ${fail("permission")}`,
    `printf '=%s\\0' "$r"`,
    `find . -mindepth 1 -maxdepth ${depth} ${hidden} -exec sh -c '${batchText}' sh {} +`,
    "exit 0",
  ].join("\n");
  const answer = await shell.run(script, { ...call, maxAnswerBytes });
  const { fields, rest } = answerFields(answer, 1, { backend: shell.access.backend, ...call });
  const entries = readEntries(rest).toSorted(byBytes);
  return {
    path: asSandboxPath(pathField(fields, 0)),
    entries: entries.slice(0, limit).map(({ name, line, target }) => listed(name, line, target)),
    total: entries.length,
    unreadable: unreadableOf(answer.complaint),
  };
}

/**
 * For some files: how many, their names, their lines of `stat`, where each link leads; each up to a NUL. One program tells
 * about all of them; only when one is gone meanwhile they are asked one by one.
 */
const batchText = [
  `told() { ${statText('"$@"', false).replaceAll("'", '"')} 2>/dev/null; }`,
  'say() { z=$1; shift; printf "%s\\0" "$#" "$@" "$z"',
  'for f; do t=; [ ! -L "$f" ] || t=$(readlink "$f" && printf .); printf "%s\\0" "$t"; done; }',
  'z=$(told "$@"); if [ "$(printf "%s\\n" "$z" | wc -l)" -eq $# ]; then say "$z" "$@"',
  'else for e; do z=$(told "$e") && say "$z" "$e"; done; fi',
].join("; ");

function readEntries(answer: Buffer): readonly Entry[] {
  const fields = answer.toString("latin1").split("\0");
  const entries: Entry[] = [];
  for (let at = 0; at + 1 < fields.length;) {
    const count = Number(fields[at]);
    const lines = fields[at + count + 1]?.split("\n") ?? [];
    for (let index = 0; index < count; index += 1) {
      const name = fields[at + 1 + index]?.slice(2) ?? "";
      entries.push({ name, line: lines[index] ?? "", target: fields[at + count + 2 + index] ?? "" });
    }
    at += 2 * count + 2;
  }
  return entries;
}

interface Entry {
  readonly name: string;
  readonly line: string;
  readonly target: string;
}

function byBytes(one: Entry, other: Entry): number {
  return one.name < other.name ? -1 : Number(one.name > other.name);
}

function listed(name: string, line: string, target: string): ListedFile {
  const facts = parseStatLine(line, fromShellBytes(name));
  return {
    name: fromShellBytes(name),
    ...facts,
    ...(facts.type === "symlink" ? { linkTarget: fromShellBytes(target.slice(0, -2)) } : {}),
  };
}

/** `find: './secret': Permission denied`, with other quotes elsewhere. */
function unreadableOf(complaint: string): readonly string[] {
  return complaint.split("\n").flatMap((line) => {
    const name = /^find: [‘'`"]?\.\/(.+?)[’'"]?: Permission denied$/.exec(line)?.[1];
    return name === undefined ? [] : [name];
  });
}

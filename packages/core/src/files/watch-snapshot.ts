import { fromShellBytes } from "../shell/shell-bytes.js";
import type { WatchEvent } from "./watch-event.js";

/** What a look at a tree says of one path. */
export interface WatchedEntry {
  /** Device and inode: the same after a rename. */
  readonly id: string;
  /** Type, size and time of its content: no rename changes them. */
  readonly content: string;
  /** With the time of its inode, so that a change of its mode is seen. */
  readonly version: string;
  readonly isDirectory: boolean;
}

/** By relative path, one character a byte. */
export type WatchSnapshot = ReadonlyMap<string, WatchedEntry>;

/**
 * Reads what the script of a watch printed: `type|id|content|inode time|path//` for each. Undefined when it is more than
 * `maxEntries`, or was cut.
 */
export function readSnapshot(text: string, root: string, maxEntries: number): WatchSnapshot | undefined {
  const entries = new Map<string, WatchedEntry>();
  const prefix = root === "/" ? "/" : `${root}/`;
  let at = 0;
  while (at < text.length) {
    const end = text.indexOf("//", at);
    if (end < 0 || entries.size >= maxEntries) return undefined;
    const match = /^\n?([^|]*)\|([^|]*)\|([^|]*)\|([^|]*)\|([^]*)$/.exec(text.slice(at, end));
    at = text[end + 2] === "\n" ? end + 3 : end + 2;
    if (match === null) continue;
    const [, type = "", id = "", content = "", time = "", path = ""] = match;
    // A letter from `find`, the mode in hexadecimal from `stat`.
    const isDirectory = type === "d" || /^4...$/.test(type);
    const relative = path.startsWith(prefix) ? path.slice(prefix.length) : "";
    const facts = `${isDirectory ? "d" : type} ${content}`;
    entries.set(relative, { id, content: facts, version: `${type} ${content} ${time}`, isDirectory });
  }
  return entries;
}

/** What happened between two looks. Removals and renames come first, parents before what is in them. */
export function compareSnapshots(before: WatchSnapshot, after: WatchSnapshot): readonly WatchEvent[] {
  const gone = new Map<string, string>();
  const events: WatchEvent[] = [];
  for (const [path, entry] of before) {
    if (!after.has(path)) gone.set(entry.id, path);
  }
  const renamed = new Map<string, string>();
  const moved = new Set<string>();
  const rest: WatchEvent[] = [];
  for (const path of [...after.keys()].toSorted()) {
    const entry = after.get(path);
    if (entry === undefined) continue;
    const old = before.get(path);
    const from = gone.get(entry.id);
    if (old !== undefined && (old.isDirectory === entry.isDirectory || path === "")) {
      // That a directory's own time changed says only that something in it did.
      const isChanged = entry.version !== old.version || entry.id !== old.id;
      if (isChanged && !entry.isDirectory) rest.push({ kind: "changed", path: fromShellBytes(path) });
    } else if (old !== undefined) {
      events.push({ kind: "removed", path: fromShellBytes(path) });
      rest.push({ kind: "created", path: fromShellBytes(path) });
    } else if (from !== undefined && isSame(before.get(from), entry)) {
      moved.add(from);
      renamed.set(path, from);
      // What is in a renamed directory went with it.
      if (renamed.get(parent(path)) !== parent(from) || name(path) !== name(from)) {
        events.push({ kind: "renamed", path: fromShellBytes(path), from: fromShellBytes(from) });
      }
    } else {
      rest.push({ kind: "created", path: fromShellBytes(path) });
    }
  }
  const removed = [...before.keys()].filter((path) => !after.has(path) && !moved.has(path)).toSorted();
  return [
    ...removed.map((path): WatchEvent => ({ kind: "removed", path: fromShellBytes(path) })),
    ...events,
    ...rest,
  ];
}

/** An inode's number may be given to a new file at once: only with the old content it is the old file. */
function isSame(before: WatchedEntry | undefined, after: WatchedEntry): boolean {
  if (before === undefined || before.isDirectory !== after.isDirectory) return false;
  return after.isDirectory || before.content === after.content;
}

function parent(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function name(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

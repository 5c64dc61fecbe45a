import { FileError, type FileListing, type ListedFile, type TerminalSession } from "@talaria/core";
import { failure, success } from "../exit-status.js";
import { formatBytes } from "../output/amounts.js";
import { formatDocument } from "../output/json-document.js";
import { pathBytes, pathMember, visiblePath } from "../output/path-text.js";
import { formatTable } from "../output/table.js";
import { inSession } from "../program/in-session.js";
import type { Invocation } from "../program/invocation.js";
import type { FileOptions } from "./file-options.js";
import { modeText, momentText, statMember } from "./stat-member.js";

export interface ListFilesOptions extends FileOptions {
  readonly all?: true;
  readonly long?: true;
  readonly depth?: number;
  readonly limit?: number;
}

/** Prints what is in a directory; of a file, the file. Status 1 when a part of it could not be looked into. */
export async function listDirectory(
  invocation: Invocation,
  path: string | undefined,
  options: ListFilesOptions,
): Promise<number> {
  const { stdout, messages } = invocation;
  return inSession(invocation, options, async (session, { signal }) => {
    const listing = await list(session, path ?? ".", options, signal);
    const { entries, total, unreadable } = listing;
    if (options.json) {
      await stdout.write(formatDocument(listingMember(listing)));
      return unreadable.length === 0 ? success : failure;
    }
    await (options.long ? printLong(invocation, entries) : printNames(invocation, entries));
    if (total > entries.length) {
      messages.note(
        `${entries.length.toLocaleString("en-US")} of ${total.toLocaleString("en-US")} entries; see more with --limit`,
      );
    }
    for (const name of unreadable) messages.problem(`${visiblePath(name)} could not be looked into`);
    return unreadable.length === 0 ? success : failure;
  });
}

async function list(
  session: TerminalSession,
  path: string,
  { all, depth, limit }: ListFilesOptions,
  signal: AbortSignal,
): Promise<FileListing> {
  try {
    return await session.files.list(path, { depth, limit, hidden: all === true, signal });
  } catch (error) {
    if (!(error instanceof FileError) || error.reason !== "not_directory") throw error;
    const { path: physical, ...facts } = await session.files.stat(path, { followLinks: false, signal });
    return { path: physical, entries: [{ ...facts, name: path }], total: 1, unreadable: [] };
  }
}

function listingMember({ path, entries, total, unreadable }: FileListing): object {
  return {
    ...pathMember("path", path),
    entries: entries.map(({ name, ...facts }) => ({ ...pathMember("name", name), ...statMember(facts) })),
    total,
    unreadable: unreadable.map((name) => pathMember("name", name)),
  };
}

/** To a terminal names that only show themselves; into a pipe the names as they are. */
async function printNames(
  { stdout, stdoutIsTty, style }: Invocation,
  entries: readonly ListedFile[],
): Promise<void> {
  for (const { name, type } of entries) {
    if (stdoutIsTty) {
      const shown = visiblePath(name);
      await stdout.write(`${type === "directory" ? style.bold(`${shown}/`) : shown}\n`);
    } else {
      await stdout.write(Buffer.concat([pathBytes(name), Buffer.from("\n")]));
    }
  }
}

async function printLong({ stdout, style }: Invocation, entries: readonly ListedFile[]): Promise<void> {
  const rows = entries.map(({ name, type, mode, uid, gid, sizeBytes, modifiedMs, linkTarget }) => [
    modeText(type, mode),
    `${uid}:${gid}`,
    type === "file" ? formatBytes(sizeBytes) : "-",
    { text: momentText(modifiedMs), look: style.dim },
    {
      text: visiblePath(name) + (linkTarget === undefined ? "" : ` -> ${visiblePath(linkTarget)}`),
      look: type === "directory" ? style.bold : undefined,
    },
  ]);
  for (const line of formatTable(rows)) await stdout.write(`${line}\n`);
}

import { FileError, type TerminalSession } from "@talaria/core";
import { posix } from "node:path";
import { success } from "../exit-status.js";
import { formatDocument } from "../output/json-document.js";
import { pathMember, visiblePath } from "../output/path-text.js";
import { inSession } from "../program/in-session.js";
import type { Invocation } from "../program/invocation.js";
import type { ChangeOptions } from "./file-options.js";

export interface MoveOptions extends ChangeOptions {
  readonly force?: true;
}

/** Gives a file another name, or another place when the new name is a directory that is there. */
export async function moveFile(
  invocation: Invocation,
  from: string,
  to: string,
  options: MoveOptions,
): Promise<number> {
  const { stdout, messages } = invocation;
  const { force, allowSensitive } = options;
  return inSession(invocation, options, async (session, { signal }) => {
    const target = (await isDirectory(session, to, signal)) ? posix.join(to, posix.basename(from)) : to;
    const path = await session.files.rename(from, target, { overwrite: force, allowSensitive, signal });
    if (options.json) await stdout.write(formatDocument({ from, ...pathMember("path", path) }));
    else messages.detail(`${from} is now ${visiblePath(path)}`);
    return success;
  });
}

async function isDirectory(session: TerminalSession, path: string, signal: AbortSignal): Promise<boolean> {
  try {
    return (await session.files.stat(path, { signal })).type === "directory";
  } catch (error) {
    // Whatever else is wrong with it is said by the move itself.
    if (error instanceof FileError) return false;
    throw error;
  }
}

import { FileError, InvalidArgumentError } from "@talaria/core";
import { isUtf8 } from "node:buffer";
import { success } from "../exit-status.js";
import { formatBytes } from "../output/amounts.js";
import { formatDocument } from "../output/json-document.js";
import { pathMember, visiblePath } from "../output/path-text.js";
import { inSession } from "../program/in-session.js";
import type { Invocation } from "../program/invocation.js";
import { readInput } from "../program/read-input.js";
import type { ChangeOptions } from "./file-options.js";

export interface WriteOptions extends ChangeOptions {
  readonly append?: true;
  readonly mode?: number;
  readonly lineEnding: "exact" | "keep" | "lf" | "crlf";
  readonly ifVersion?: string;
  readonly parents: boolean;
}

/** What a write holds in memory. Anything larger is a copy, which streams. */
const mostBytes = 64 * 1024 * 1024;

/** Writes a file from stdin. */
export async function writeStdin(
  invocation: Invocation,
  path: string,
  options: WriteOptions,
): Promise<number> {
  const { stdout, messages } = invocation;
  const { append, lineEnding, ifVersion } = options;
  if (append && (ifVersion !== undefined || lineEnding !== "exact")) {
    throw new InvalidArgumentError("append", "--append takes neither --if-version nor --line-ending", {
      operation: "files.write",
      hint: "read the file, and write it whole",
    });
  }
  const bytes = await readInput(invocation, {
    what: "the file's content",
    mostBytes,
    tooLarge: () =>
      new FileError(path, "too_large", `there is more than ${formatBytes(mostBytes)} on stdin`, {
        operation: "files.write",
        hint: `copy it as a stream: talaria files cp - sandbox:${visiblePath(path)}`,
      }),
  });
  return inSession(invocation, options, async (session, { signal }) => {
    const shared = {
      mode: options.mode,
      createParents: options.parents,
      allowSensitive: options.allowSensitive,
      signal,
    };
    const written = append
      ? await session.files.append(path, bytes, shared)
      : await session.files.write(path, lineEnding === "exact" ? bytes : textOf(bytes, lineEnding), {
          ...shared,
          ifVersion,
          lineEnding,
        });
    const { path: physical, ...facts } = written;
    if (options.json) await stdout.write(formatDocument({ ...pathMember("path", physical), ...facts }));
    else
      messages.note(
        `${written.created ? "made" : "wrote"} ${visiblePath(physical)} (${formatBytes(written.bytes)})`,
      );
    return success;
  });
}

function textOf(bytes: Buffer, lineEnding: string): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  throw new InvalidArgumentError(
    "line-ending",
    `--line-ending ${lineEnding} needs text, and stdin is not UTF-8`,
    {
      operation: "files.write",
      hint: "leave the option out to write the bytes as they are",
    },
  );
}

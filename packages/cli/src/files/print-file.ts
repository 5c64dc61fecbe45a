import { InvalidArgumentError, type FileContent } from "@talaria/core";
import { failure, success } from "../exit-status.js";
import { formatBytes } from "../output/amounts.js";
import { formatDocument } from "../output/json-document.js";
import { pathMember, visiblePath } from "../output/path-text.js";
import { visibleText } from "../output/visible-text.js";
import { inSession } from "../program/in-session.js";
import type { Invocation } from "../program/invocation.js";
import type { FileOptions } from "./file-options.js";
import { printBytes } from "./print-bytes.js";

export interface ReadOptions extends FileOptions {
  readonly offset?: number;
  readonly limit?: number;
  readonly raw?: true;
}

/** Prints a window of a file. Status 1 for what is no text, which is named instead. */
export async function printFile(invocation: Invocation, path: string, options: ReadOptions): Promise<number> {
  const { offset, limit, raw, json } = options;
  if (raw && (offset !== undefined || limit !== undefined || json)) {
    throw new InvalidArgumentError(
      "raw",
      "--raw prints the whole file as it is, and takes no --offset, --limit or --json",
      {
        operation: "files.read",
        hint: "leave --raw out, or cut what it prints: talaria files read --raw FILE | head -c 1000",
      },
    );
  }
  return inSession(invocation, options, async (session, { signal }) => {
    if (raw) {
      await printBytes(invocation, session, path, { signal });
      return success;
    }
    const content = await session.files.read(path, { offset, limit, signal });
    if (json) await invocation.stdout.write(formatDocument(contentMember(content)));
    else if (content.kind === "text") await printLines(invocation, content);
    else
      invocation.messages.problem(
        describeOther(content, path),
        "print its bytes with --raw, for example into a file",
      );
    return content.kind === "text" || json ? success : failure;
  });
}

function contentMember({ path, ...content }: FileContent): object {
  return { ...pathMember("path", path), ...content };
}

async function printLines(invocation: Invocation, content: FileContent): Promise<void> {
  const { stdout, stdoutIsTty, style, messages } = invocation;
  const { firstLine, lastLine, totalLines, nextOffset, cutLines, encoding, isEncodingGuessed } = content;
  const width = Math.max(4, String(lastLine).length);
  if (lastLine > 0) {
    const lines = content.numbered.split("\n");
    if (lines.at(-1) === "") lines.pop();
    for (const line of lines) {
      const [, number = "", text = line] = /^(\d+)\|(.*)$/s.exec(line.replace(/\r$/, "")) ?? [];
      const shown = stdoutIsTty ? visibleText(text) : text;
      // Waited for: a reader may be slower than a file is long.
      await stdout.write(`${style.dim(number.padStart(width))}  ${shown}\n`);
    }
  }
  if (nextOffset !== null) {
    messages.note(
      `lines ${firstLine.toLocaleString("en-US")} to ${lastLine.toLocaleString("en-US")} of ` +
        `${totalLines.toLocaleString("en-US")}; go on with --offset ${nextOffset}`,
    );
  } else if (lastLine === 0) {
    messages.note(
      totalLines === 0 ? "the file is empty" : `the file has ${totalLines} lines: none in this window`,
    );
  }
  if (cutLines.length > 0)
    messages.note(
      `cut, because they are long: lines ${cutLines.slice(0, 10).join(", ")}${cutLines.length > 10 ? " …" : ""}`,
    );
  if (isEncodingGuessed) messages.note(`read as ${encoding}, by the look of its bytes`);
}

function describeOther({ kind, image, totalBytes, path: physical }: FileContent, path: string): string {
  const size = formatBytes(totalBytes);
  if (kind === "binary") return `${visiblePath(path)} is binary (${size}, ${visiblePath(physical)})`;
  const pixels = image?.width === undefined ? "" : `, ${image.width} x ${image.height ?? "?"} pixels`;
  return `${visiblePath(path)} is an image (${image?.mimeType ?? "unknown kind"}${pixels}, ${size})`;
}

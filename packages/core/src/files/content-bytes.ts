import { FileError, InvalidArgumentError } from "../errors/errors.js";
import type { FileShell } from "./file-shell.js";
import { readFileBytes } from "./read-bytes.js";
import { readSmall, smallContent } from "./read-small.js";
import { detectEncoding, encodeText, type TextEncoding } from "./text-encoding.js";
import type { WriteFileOptions } from "./write-result.js";

/** What is looked at of a file to tell its line ends and its mark. */
const lookBytes = 64 * 1024;

/** The bytes that a content is to be in a file: a text over an existing text gets that file's line ends and mark. */
export async function contentBytes(
  shell: FileShell,
  asked: string,
  content: string | Uint8Array,
  { lineEnding = "keep", signal }: Pick<WriteFileOptions, "lineEnding" | "signal">,
): Promise<Uint8Array> {
  if (typeof content !== "string") {
    if ((content as unknown) instanceof Uint8Array) return content;
    throw new InvalidArgumentError("content", "What is written to a file is a text or bytes.", {
      operation: "write",
      hint: "Give a string or a Uint8Array; JSON.stringify makes a text of a value.",
    });
  }
  if (/\p{Surrogate}/u.test(content)) {
    throw new InvalidArgumentError(
      "content",
      "The text has half of a surrogate pair in it, which is no character.",
      {
        operation: "write",
        hint: "Leave it out, or give bytes.",
      },
    );
  }
  if (lineEnding === "exact") return Buffer.from(content, "utf8");
  if (lineEnding !== "keep")
    return Buffer.from(withEnds(content, lineEnding === "crlf" ? "\r\n" : "\n"), "utf8");
  const head = await headOf(shell, asked, signal);
  const found =
    head === undefined || head.length === 0 ? undefined : detectEncoding(head, head.length < lookBytes);
  if (head === undefined || found?.encoding !== "utf-8") return Buffer.from(content, "utf8");
  const text = hasCrlf(head) ? withEnds(content, "\r\n") : content;
  return encode(text, found);
}

function encode(text: string, { bomBytes }: TextEncoding): Uint8Array {
  const hasMark = text.startsWith("\uFEFF");
  return encodeText(bomBytes > 0 && !hasMark ? `\uFEFF${text}` : text, "utf-8") ?? Buffer.from(text, "utf8");
}

function withEnds(text: string, end: string): string {
  return text.replaceAll(/\r\n|\n/g, end);
}

/** Every line that ends in the part that was looked at ends with CRLF. */
function hasCrlf(head: Uint8Array): boolean {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString("latin1");
  return text.includes("\r\n") && !/(?:^|[^\r])\n/.test(text);
}

async function headOf(
  shell: FileShell,
  asked: string,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | undefined> {
  try {
    const path = shell.path(asked);
    const small = await readSmall(shell, { operation: "write", path, signal });
    if (small !== undefined) return smallContent(small);
    return (await readFileBytes(shell, asked, { length: lookBytes, signal })).bytes;
  } catch (error) {
    // Whatever is wrong with the file, the write itself says it better.
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

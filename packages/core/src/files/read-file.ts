import type { ByteFilter } from "../secrets/stream-redactor.js";
import { asSandboxPath } from "../workdir/paths.js";
import { readPlan } from "./change-plan.js";
import { wholeNumber } from "./check-number.js";
import { answerFields, pathField } from "./file-failure.js";
import type { FileShell } from "./file-shell.js";
import { imageFacts } from "./image-facts.js";
import { cutWindow, numberLines, splitLines, type LineLimits } from "./line-window.js";
import { maskLines } from "./mask-lines.js";
import { readFileBytes } from "./read-bytes.js";
import type { FileContent, LineEnding, ReadFileOptions } from "./read-result.js";
import { headBytes, missingWithNames, readScript, wholeBytes, wireLimits } from "./read-script.js";
import { readSmall } from "./read-small.js";
import { parseStatLine, type StatLine } from "./stat-text.js";
import { decodeText, detectEncoding, type TextEncoding } from "./text-encoding.js";

const mebibyte = 1024 * 1024;
/** A text in UTF-16 is read whole up to here, because the sandbox cannot count its lines. */
const largestUtf16Bytes = 16 * mebibyte;

/** Reads a window of lines of a file. */
export async function readFile(
  shell: FileShell,
  asked: string,
  options: ReadFileOptions,
): Promise<FileContent> {
  const limits: LineLimits = {
    offset: wholeNumber("offset", options.offset ?? 1, 1, Number.MAX_SAFE_INTEGER),
    limit: wholeNumber("limit", options.limit ?? 2000, 1, 1_000_000),
    maxBytes: wholeNumber("maxBytes", options.maxBytes ?? 100_000, 1, 16 * mebibyte),
    maxLineBytes: wholeNumber("maxLineBytes", options.maxLineBytes ?? 2000, 1, mebibyte),
  };
  const path = shell.path(asked);
  const call = { operation: "read", path, signal: options.signal };
  const plan = readPlan(path, { followLast: true, onMissing: missingWithNames });
  const answer =
    (await readSmall(shell, call)) ??
    (await shell.run(readScript(plan, limits), {
      ...call,
      maxAnswerBytes: Math.max(wholeBytes, wireLimits(limits).windowBytes) + headBytes,
    }));
  const { fields, rest } = answerFields(answer, 3, { backend: shell.access.backend, ...call });
  const facts = {
    path: pathField(fields, 1),
    stat: parseStatLine(fields[0] ?? "", asked),
    limits,
    filter: shell.access.outputFilter(),
  };
  // Longer than it said: a file of /proc, or one that has grown meanwhile.
  if (fields[2] === "w") return wholeFile(rest, rest.length > wholeBytes ? rest.length : undefined, facts);
  const large = splitLargeAnswer(rest);
  if (large.encoding?.encoding.startsWith("utf-16") === true && facts.stat.sizeBytes <= largestUtf16Bytes) {
    const { bytes } = await readFileBytes(shell, asked, {
      length: largestUtf16Bytes,
      signal: options.signal,
    });
    return wholeFile(bytes, undefined, facts);
  }
  return partOfFile(large, facts);
}

interface FileFactsSeen {
  readonly path: string;
  readonly stat: StatLine;
  readonly limits: LineLimits;
  readonly filter: ByteFilter | undefined;
}

function wholeFile(bytes: Uint8Array, cutAt: number | undefined, seen: FileFactsSeen): FileContent {
  const encoding = detectEncoding(bytes, cutAt === undefined);
  const image = imageFacts(bytes.subarray(0, headBytes * 16));
  const base = commonFacts(seen, bytes.length);
  if (image !== undefined || encoding === undefined) return withoutText(base, image);
  const text = decodeText(bytes.subarray(encoding.bomBytes), encoding.encoding);
  const lines = [...splitLines(text)];
  // Before anything is cut: half a secret would not be known.
  const masked = maskLines(lines, seen.filter);
  const window = cutWindow(masked ?? lines, 1, seen.limits);
  const first = seen.limits.offset - 1;
  const isRedacted =
    masked !== undefined && window.lines.some((_, index) => masked[first + index] !== lines[first + index]);
  return { ...withText(base, encoding, window, seen.limits.offset, lines.length), isRedacted };
}

interface LargeAnswer {
  readonly head: Buffer;
  readonly totalLines: number;
  /** The last line of the file has an end. */
  readonly hasLastEnd: boolean;
  readonly window: Buffer;
  readonly encoding: TextEncoding | undefined;
}

/** Takes apart what the script says of a large file. */
function splitLargeAnswer(rest: Buffer): LargeAnswer {
  const head = rest.subarray(0, headBytes);
  const feedsEnd = rest.indexOf(10, headBytes);
  const lastEnd = rest.indexOf(10, feedsEnd + 1);
  const feeds = Number(rest.toString("latin1", headBytes, feedsEnd));
  const lastByte = Number(rest.toString("latin1", feedsEnd + 1, lastEnd));
  return {
    head,
    totalLines: feeds + (lastByte === 10 ? 0 : 1),
    hasLastEnd: lastByte === 10,
    window: rest.subarray(lastEnd + 1),
    encoding: detectEncoding(head, false),
  };
}

function partOfFile(answer: LargeAnswer, seen: FileFactsSeen): FileContent {
  const { head, totalLines, window } = answer;
  const base = commonFacts(seen, seen.stat.sizeBytes);
  const image = imageFacts(head);
  // A NUL or bytes of another encoding may come after the head.
  const found = window.includes(0) ? undefined : answer.encoding;
  if (image !== undefined || found === undefined || found.encoding.startsWith("utf-16")) {
    return withoutText(base, image);
  }
  const { offset, maxLineBytes } = seen.limits;
  const text = decodeText(window.subarray(offset === 1 ? found.bomBytes : 0), found.encoding);
  const lines = [...splitLines(text)];
  // The last line of an answer that was cut short is not whole: the next window begins with it.
  if (window.length > wireLimits(seen.limits).windowBytes && lines.length > 1) lines.pop();
  // What cuts lines in the sandbox ends the last one too, where the file does not.
  const last = lines.at(-1);
  if (last !== undefined && !answer.hasLastEnd && offset + lines.length - 1 === totalLines) {
    lines[lines.length - 1] = last.replace(/\n$/, "");
  }
  const masked = maskLines(lines, seen.filter);
  const shown = cutWindow(masked ?? lines, offset, seen.limits);
  // A placeholder can be so short that a line which was cut in the sandbox looks whole.
  const cutLines = shown.lines.flatMap((_, index) => {
    const isLong = Buffer.byteLength((lines[index] ?? "").replace(/\r?\n$/, "")) > maxLineBytes;
    return isLong || shown.cutLines.includes(offset + index) ? [offset + index] : [];
  });
  const isRedacted = masked !== undefined && shown.lines.some((_, index) => masked[index] !== lines[index]);
  return { ...withText(base, found, { ...shown, cutLines }, offset, totalLines), isRedacted };
}

type CommonFacts = Pick<FileContent, "path" | "totalBytes" | "mode" | "modifiedMs" | "version">;

function commonFacts({ path, stat }: FileFactsSeen, totalBytes: number): CommonFacts {
  return {
    path: asSandboxPath(path),
    totalBytes,
    mode: stat.mode,
    modifiedMs: stat.modifiedMs,
    version: stat.version,
  };
}

function withoutText(base: CommonFacts, image: FileContent["image"]): FileContent {
  return {
    ...base,
    kind: image === undefined ? "binary" : "image",
    text: "",
    numbered: "",
    isRedacted: false,
    firstLine: 0,
    lastLine: 0,
    totalLines: 0,
    nextOffset: null,
    cutLines: [],
    encoding: "latin-1",
    isEncodingGuessed: true,
    hasBom: false,
    lineEnding: "none",
    ...(image === undefined ? {} : { image }),
  };
}

function withText(
  base: CommonFacts,
  { encoding, isGuessed, bomBytes }: TextEncoding,
  { lines, cutLines }: { readonly lines: readonly string[]; readonly cutLines: readonly number[] },
  offset: number,
  totalLines: number,
): FileContent {
  const lastLine = lines.length === 0 ? 0 : offset + lines.length - 1;
  return {
    ...base,
    kind: "text",
    text: lines.join(""),
    numbered: numberLines(lines, offset),
    isRedacted: false,
    firstLine: lines.length === 0 ? 0 : offset,
    lastLine,
    totalLines,
    nextOffset: lastLine > 0 && lastLine < totalLines ? lastLine + 1 : null,
    cutLines,
    encoding,
    isEncodingGuessed: isGuessed,
    hasBom: bomBytes > 0,
    lineEnding: lineEndingOf(lines),
  };
}

function lineEndingOf(lines: readonly string[]): LineEnding {
  const found = new Set(
    lines.map((line) =>
      line.endsWith("\r\n") ? "crlf" : line.endsWith("\n") ? "lf" : line.endsWith("\r") ? "cr" : "none",
    ),
  );
  found.delete("none");
  const [only = "none"] = found;
  return found.size > 1 ? "mixed" : only;
}

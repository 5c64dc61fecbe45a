import { asSandboxPath } from "../workdir/paths.js";
import { readPlan } from "./change-plan.js";
import { wholeNumber } from "./check-number.js";
import { answerFields, pathField } from "./file-failure.js";
import type { FileShell } from "./file-shell.js";
import type { FileBytes, ReadBytesOptions } from "./read-result.js";
import { missingWithNames, regularFileOnly, statIntoFields } from "./read-script.js";
import { fail, resolveText } from "./resolve-script.js";
import { parseStatLine } from "./stat-text.js";

const mebibyte = 1024 * 1024;

/** Reads a piece of a file, byte-exact. A piece beyond the end is empty. */
export async function readFileBytes(
  shell: FileShell,
  asked: string,
  options: ReadBytesOptions,
): Promise<FileBytes> {
  const offset = wholeNumber("offset", options.offset ?? 0, 0, Number.MAX_SAFE_INTEGER);
  const length = wholeNumber("length", options.length ?? mebibyte, 0, 64 * mebibyte);
  const path = shell.path(asked);
  const call = { operation: "read", path, signal: options.signal };
  const script = [
    resolveText(readPlan(path, { followLast: true, onMissing: missingWithNames })),
    regularFileOnly,
    `[ -r "./$b" ] || ${fail("permission")}`,
    statIntoFields,
    `printf '=%s\\0%s\\0' "$r" "$z"`,
    pieceText(offset, length),
    "exit 0",
  ].join("\n");
  const answer = await shell.run(script, { ...call, maxAnswerBytes: length });
  const { fields, rest } = answerFields(answer, 2, { backend: shell.access.backend, ...call });
  const { sizeBytes, mode, modifiedMs, version } = parseStatLine(fields[1] ?? "", asked);
  return {
    path: asSandboxPath(pathField(fields, 0)),
    bytes: rest,
    // Files of /proc say 0 and have content.
    totalBytes: Math.max(sizeBytes, rest.length === 0 ? 0 : offset + rest.length),
    mode,
    modifiedMs,
    version,
  };
}

function pieceText(offset: number, length: number): string {
  if (length === 0) return ":";
  // `tail` seeks in a file, so that the beginning of a large one is not read.
  const from = offset === 0 ? `<"./$b"` : `<"./$b" tail -c +${offset + 1} |`;
  return offset === 0 ? `head -c ${length} ${from}` : `${from} head -c ${length}`;
}

import { asSandboxPath } from "../workdir/paths.js";
import { answerFields, pathField } from "./file-failure.js";
import type { FileAnswer, FileScriptOptions, FileShell } from "./file-shell.js";
import { parseStatLine } from "./stat-text.js";
import type { WrittenFile } from "./write-result.js";

/** Reads what a script that wrote says at its end: the path, whether the file is new, its facts. Throws its failure. */
export function writtenFile(
  shell: FileShell,
  answer: FileAnswer,
  call: Pick<FileScriptOptions, "operation" | "path">,
  sizeBytes: number,
): WrittenFile {
  const { fields } = answerFields(answer, 3, { backend: shell.access.backend, ...call });
  return {
    path: asSandboxPath(pathField(fields, 0)),
    bytes: sizeBytes,
    created: fields[1] === "1",
    version: parseStatLine(fields[2] ?? "", call.path.asked).version,
  };
}

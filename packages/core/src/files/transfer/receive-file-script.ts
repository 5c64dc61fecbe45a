import { assign } from "../file-path.js";
import type { SandboxTarget } from "./sandbox-place.js";
import { transferScript, type TransferScript } from "./transfer-script.js";

/** Shell text that goes to a physical directory and ends when that is not where it came to: it was swapped meanwhile. */
export function enterText(directory: string): string {
  return `${assign("d", directory)}; cd -P -- "$d" && [ "$PWD" = "$d" ] || { say moved; exit 1; }`;
}

/** Shell text of a function that prints the SHA-256 of standard input, empty where nothing can compute it. */
export const digestText =
  "{ if command -v sha256sum; then k=sha256sum; elif command -v shasum; then k='shasum -a 256'; " +
  "elif command -v sha256; then k=sha256; else k=; fi; } >/dev/null 2>&1; " +
  'digest() { [ -z "$k" ] || $k; }';

export interface ReceivedFile {
  readonly sizeBytes: number;
  readonly mode: number;
  readonly modifiedMs: number;
  readonly overwrite: boolean;
  readonly sha256: string | undefined;
  /** What arrives beyond the size is cut off: the input is a file that may have grown since. Default false: an error. */
  readonly isCut?: boolean | undefined;
}

/**
 * Takes a file from standard input, under a name of its own until it is whole: exactly as many bytes as announced, so
 * that an input that ended early is never taken for a file.
 */
export function receiveFileScript(
  { directory, name }: SandboxTarget,
  stage: string,
  file: ReceivedFile,
): TransferScript {
  const time = new Date(Math.min(Math.max(file.modifiedMs, 0), 8e15));
  const digits = time.toISOString().replaceAll(/[-:TZ]/g, "");
  const stamp = `${digits.slice(0, 12)}.${digits.slice(12, 14)}`;
  return transferScript(
    [
      enterText(directory),
      `${assign("b", name)}; s=${stage}`,
      "trap 'rm -f \"./$s\"; exit 1' HUP INT TERM",
      'gone() { rm -f "./$s"; say "$@"; exit 1; }',
      // Opened once: a file that is made and then truncated is written to the disk as soon as it is closed (ext4).
      'umask 077; m=; set -C; { m=1; cat; } >"./$s" || { [ -z "$m" ] || gone failed; say failed; exit 1; }; set +C',
      'n=$(wc -c <"./$s") || gone failed',
      file.isCut === true
        ? `[ "$n" -le ${file.sizeBytes} ] || { dd if=/dev/null of="./$s" bs=1 seek=${file.sizeBytes} count=0 2>/dev/null && n=$(wc -c <"./$s"); } || gone failed`
        : ":",
      `[ "$n" -eq ${file.sizeBytes} ] || gone short $n`,
      file.sha256 === undefined
        ? "h="
        : `${digestText}; h=$(digest <"./$s") || gone failed; h=\${h%% *}; [ "\${h:-${file.sha256}}" = ${file.sha256} ] || gone digest`,
      `chmod ${(file.mode & 0o777).toString(8)} "./$s" || gone failed`,
      `touch -d '${time.toISOString()}' "./$s" 2>/dev/null || TZ=UTC0 touch -t ${stamp} "./$s" || gone failed`,
      '[ ! -d "./$b" ] || gone directory',
      file.overwrite ? ":" : '[ ! -e "./$b" ] && [ ! -L "./$b" ] || gone exists',
      'mv -f "./$s" "./$b" || gone failed',
      "say done $n $h",
    ].join("\n"),
  );
}

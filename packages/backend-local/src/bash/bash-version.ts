import { execFile } from "node:child_process";

/** Major and minor version of a bash. */
export interface BashVersion {
  readonly major: number;
  readonly minor: number;
  /** As bash writes it: `5.2.15(1)-release`. */
  readonly text: string;
}

/** Asks a bash for its version; undefined when it cannot be run, does not answer in time or is no bash. */
export function bashVersion(path: string): Promise<BashVersion | undefined> {
  return new Promise((resolve) => {
    const words = ["--noprofile", "--norc", "-c", 'echo "$BASH_VERSION"'];
    execFile(path, words, { timeout: 1_500, killSignal: "SIGKILL", env: {} }, (error, stdout) => {
      const text = stdout.trim();
      const [, major, minor] = /^(\d+)\.(\d+)/.exec(text) ?? [];
      resolve(
        error !== null || minor === undefined
          ? undefined
          : { major: Number(major), minor: Number(minor), text },
      );
    });
  });
}

/** The warm shell needs 4.1 (`read -N`, descriptors above 9 by name). macOS ships 3.2. */
export function isNewEnough({ major, minor }: BashVersion): boolean {
  return major > 4 || (major === 4 && minor >= 1);
}

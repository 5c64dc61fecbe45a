import { createRequire } from "node:module";
import { UnsupportedCapabilityError } from "@talaria/core";

const wrapper = "@lydell/node-pty";
const prebuild = `${wrapper}-${process.platform}-${process.arch}`;

/** A process on a new pseudoterminal, as the native part hands it over. */
export interface ForkedTerminal {
  readonly pid: number;
  /** The master's descriptor, non-blocking. Ours to close. */
  readonly fd: number;
}

/**
 * The native part of node-pty. Its JavaScript part is not used: that closes the terminal 200 ms after the process
 * ended whatever is still unread, and takes the first short read after a hang-up for the end of the output.
 */
export interface PtyBinding {
  fork(
    file: string,
    args: readonly string[],
    env: readonly string[],
    cwd: string,
    columns: number,
    rows: number,
    uid: number,
    gid: number,
    isUtf8: boolean,
    /** macOS: the program that sets the terminal up in the child. */
    helperPath: string,
    onExit: (code: number, signalNumber: number) => void,
  ): ForkedTerminal;
  resize(fd: number, columns: number, rows: number): void;
}

export interface LoadedPty {
  readonly binding: PtyBinding;
  readonly helperPath: string;
}

/** The prebuild belongs to the wrapper: found from there, wherever a package manager put it. */
function requireOfWrapper(): NodeJS.Require {
  const require = createRequire(import.meta.url);
  return createRequire(require.resolve("@lydell/node-pty"));
}

/** Where the native part for this platform lies, or undefined when it is not installed. Loads nothing. */
export function findPty(): string | undefined {
  try {
    return requireOfWrapper().resolve(`${prebuild}/pty.node`);
  } catch {
    return undefined;
  }
}

let loaded: LoadedPty | undefined;

/** Loads the native part on first use. Throws UnsupportedCapabilityError naming the package that is missing. */
export function loadPty(): LoadedPty {
  if (loaded !== undefined) return loaded;
  try {
    const require = requireOfWrapper();
    loaded = {
      binding: require(`${prebuild}/pty.node`) as PtyBinding,
      helperPath: process.platform === "darwin" ? require.resolve(`${prebuild}/spawn-helper`) : "",
    };
    return loaded;
  } catch (cause) {
    throw new UnsupportedCapabilityError(
      "tty",
      `a terminal needs the package ${prebuild}, which could not be loaded; commands without a terminal work as before`,
      {
        backend: "local",
        operation: "spawn",
        hint:
          `Install again without --omit=optional and on this platform (npm install ${wrapper}). ` +
          "There are prebuilds for Linux and macOS on x64 and arm64.",
        cause,
      },
    );
  }
}

import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync } from "node:fs";

const isAscii = /^[\0-\x7f]*$/;

/** A path of bytes, one character each, as Node's file functions take it. */
export function toFsPath(bytes: string): string | Buffer {
  return isAscii.test(bytes) ? bytes : Buffer.from(bytes, "latin1");
}

let canNameDescriptors: boolean | undefined;

/**
 * A directory of this machine that is held open. What is in it is named through its descriptor (`/proc/self/fd/…`, as
 * `openat` would), so that nobody can slip a link into the way there. Where the system has no such names, the path is
 * used, and looked at again after opening.
 */
export class HostDirectory {
  readonly #fd: number;
  readonly #base: string;
  #isOpen = true;

  /** @param path bytes, one character each. Its last name is followed if it is a link. */
  static open(path: string): HostDirectory {
    const { O_RDONLY, O_DIRECTORY } = constants;
    return new HostDirectory(openSync(toFsPath(path), O_RDONLY | O_DIRECTORY), path);
  }

  private constructor(fd: number, path: string) {
    this.#fd = fd;
    canNameDescriptors ??= process.platform === "linux" && existsSync("/proc/self/fd");
    this.#base = canNameDescriptors ? `/proc/self/fd/${fd}` : path;
  }

  /** A directory in this one. Throws ELOOP or ENOTDIR when it is a link or no directory. */
  openChild(name: string): HostDirectory {
    const path = `${this.#base}/${name}`;
    const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
    const child = new HostDirectory(openSync(toFsPath(path), O_RDONLY | O_DIRECTORY | O_NOFOLLOW), path);
    if (canNameDescriptors === true) return child;
    const [opened, named] = [fstatSync(child.#fd), lstatSync(toFsPath(path))];
    if (opened.ino === named.ino && opened.dev === named.dev) return child;
    child.close();
    throw Object.assign(new Error(`${JSON.stringify(name)} was replaced meanwhile`), { code: "ELOOP" });
  }

  /** How Node's file functions reach a name in it. */
  at(name: string): string | Buffer {
    return toFsPath(`${this.#base}/${name}`);
  }

  /** How they reach the directory itself. */
  get self(): string | Buffer {
    return toFsPath(`${this.#base}/.`);
  }

  get fd(): number {
    return this.#fd;
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.#fd);
  }
}

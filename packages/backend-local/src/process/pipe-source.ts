import { spawn, type ChildProcessByStdio } from "node:child_process";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { makeReadBuffer } from "./pipe-readable.js";

/** Both ends of a pipe: the child's blocking, ours not. */
export interface PipeEnds {
  readonly child: number;
  readonly host: number;
}

/** Pipes made at once: eight processes' worth. */
const batch = 24;

/**
 * Makes pipes and says which descriptors hold them, then keeps them until its input ends. A here-string is a pipe since
 * bash 5.1 and a temporary file before, where a process substitution has to do.
 */
const makerScript =
  "if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then " +
  `for ((i = 0; i < ${batch}; i++)); do exec {f}<<<x; echo $f; done; else ` +
  `for ((i = 0; i < ${batch}; i++)); do exec {f}< <(:); echo $f; done; fi; echo; read`;

/**
 * Real pipes for children.
 *
 * Node connects a child by socket pairs. A socket cannot be opened by name, so `echo >/dev/stderr`, `tee /dev/stdout`
 * and `cat /dev/stdin` fail with ENXIO in a child of Node, and bash takes a socket on its standard input for a remote
 * shell and reads ~/.bashrc. Node cannot make a pipe, but on Linux it can open both ends of one through /proc: a bash
 * makes them, a batch at a time and ahead of use. A named pipe would not do: opening one by name waits for its peer,
 * so a program that opens /dev/stdin after the end of the input would hang.
 */
export class PipeSource {
  /** Descriptors of pipes, each opened for both directions. */
  readonly #spare: number[] = [];
  readonly #bash: string;
  readonly #env: Readonly<Record<string, string>>;
  #refilling: Promise<boolean> | undefined;
  #readBuffer: Uint8Array | undefined;
  #isClosed = false;
  #isImpossible = process.platform !== "linux";

  /** `env` is searched for `bash` by its PATH. */
  constructor(bash: string, env: Readonly<Record<string, string>>) {
    this.#bash = bash;
    this.#env = env;
  }

  /**
   * Takes pipes out, each a descriptor that is both ends; they belong to the caller. Undefined when there are none and
   * sockets have to do. Never rejects. With a count of 0 only makes a first batch.
   */
  async acquire(count: number): Promise<readonly number[] | undefined> {
    while (this.#spare.length < Math.max(count, 1)) {
      if (this.#isImpossible || this.#isClosed) return undefined;
      // One batch at a time, shared by all who wait.
      const refilled = await (this.#refilling ??= this.#refill().finally(
        () => (this.#refilling = undefined),
      ));
      if (!refilled) return undefined;
    }
    return this.#spare.splice(0, count);
  }

  /** What the pipes' readers read into, one after the other. */
  get readBuffer(): Uint8Array {
    return (this.#readBuffer ??= makeReadBuffer());
  }

  /** Closes the spare pipes. Those taken belong to who took them. */
  close(): void {
    this.#isClosed = true;
    for (const pipe of this.#spare.splice(0)) closeSync(pipe);
  }

  async #refill(): Promise<boolean> {
    const said = await this.#askMaker();
    if (said === undefined) return false;
    const { maker: child, descriptors } = said;
    const isDone = this.#openAll(child.pid, descriptors);
    child.stdin.end();
    return isDone;
  }

  /** Starts the maker and waits until it has said which descriptors it holds; undefined when it ends before. */
  async #askMaker(): Promise<
    { maker: ChildProcessByStdio<Writable, Readable, null>; descriptors: string[] } | undefined
  > {
    try {
      const words = ["--noprofile", "--norc", "-c", makerScript];
      const maker = spawn(this.#bash, words, {
        env: this.#env,
        cwd: "/",
        // Ctrl-C on our terminal is not for it.
        detached: true,
        stdio: ["pipe", "pipe", "ignore"],
      });
      maker.stdin.on("error", () => {});
      return await new Promise((resolve, reject) => {
        let said = "";
        maker.stdout.on("data", (bytes: Buffer) => {
          said += bytes.toString();
          if (said.endsWith("\n\n")) resolve({ maker, descriptors: said.trim().split("\n") });
        });
        maker.once("error", reject);
        maker.once("close", (code) => {
          if (said.endsWith("\n\n")) return;
          // A bash that ends by itself cannot do it, today or tomorrow; one that was killed might.
          this.#isImpossible ||= code !== null;
          resolve(undefined);
        });
      });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      this.#isImpossible ||= code === "ENOENT" || code === "EACCES";
      return undefined;
    }
  }

  #openAll(pid: number | undefined, descriptors: readonly string[]): boolean {
    try {
      for (const descriptor of descriptors) {
        const pipe = openSync(`/proc/${pid}/fd/${descriptor}`, constants.O_RDWR | constants.O_NONBLOCK);
        this.#spare.push(pipe);
        if (!fstatSync(pipe).isFIFO()) throw new TypeError("bash keeps its here-strings in files");
        empty(pipe);
      }
    } catch (error) {
      // Out of descriptors may pass; what /proc or bash refuses once, they refuse again.
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "EMFILE" && code !== "ENFILE") this.#isImpossible = true;
      for (const pipe of this.#spare.splice(0)) closeSync(pipe);
    }
    if (this.#isClosed) this.close();
    return this.#spare.length > 0;
  }
}

/** Opens the two ends of a pipe; `childReads` says which way it goes. */
export function openEnds(pipe: number, childReads: boolean): PipeEnds {
  const path = `/proc/self/fd/${pipe}`;
  const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;
  const child = openSync(path, childReads ? O_RDONLY : O_WRONLY);
  try {
    return { child, host: openSync(path, (childReads ? O_WRONLY : O_RDONLY) | O_NONBLOCK) };
  } catch (error) {
    closeSync(child);
    throw error;
  }
}

/** Takes out what the here-string put in. */
function empty(pipe: number): void {
  try {
    readSync(pipe, Buffer.alloc(16));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
  }
}

import { randomBytes } from "node:crypto";
import type { CommandResult } from "../environment/execute-result.js";
import type { SandboxAccess } from "../environment/sandbox-access.js";
import { FileError, UnsupportedCapabilityError } from "../errors/errors.js";

/** Bytes of one piece. As base64 in a script it has to fit into one argument of a program, 128 KiB on Linux. */
export const pieceBytes = 72 * 1024;
const pieceTimeoutMs = 120_000;

/** For whom bytes are kept. */
export interface SpoolOptions {
  readonly operation: string;
  readonly signal?: AbortSignal | undefined;
}

/** A private file of the sandbox that bytes are kept in on their way, where nothing but text gets in and out. */
export class Spool {
  readonly path: string;
  readonly #access: SandboxAccess;
  readonly #options: SpoolOptions;

  static async make(access: SandboxAccess, options: SpoolOptions): Promise<Spool> {
    const path = `/tmp/.talaria-${randomBytes(12).toString("hex")}.spool`;
    const spool = new Spool(access, options, path);
    const probe = "command -v base64 >/dev/null 2>&1 || echo none";
    const result = await spool.#run(`umask 077; set -C; : >${path} && { ${probe}; echo made; }`);
    if (result.output.includes("none")) {
      await spool.remove();
      throw new UnsupportedCapabilityError(
        "stdin",
        `"${access.backend}" takes no standard input, and its sandbox has no \`base64\`: bytes cannot get in or out.`,
        {
          backend: access.backend,
          operation: options.operation,
          hint: "Install coreutils or busybox in the sandbox, or use a backend that can hold a process's streams.",
        },
      );
    }
    if (!result.output.includes("made")) throw spool.#failed("make a temporary file in /tmp", result);
    return spool;
  }

  private constructor(access: SandboxAccess, options: SpoolOptions, path: string) {
    this.#access = access;
    this.#options = options;
    this.path = path;
  }

  /** Adds at most `pieceBytes`. */
  async append(piece: Buffer): Promise<void> {
    const script = `printf %s '${piece.toString("base64")}' | base64 -d >>${this.path} && echo kept`;
    const result = await this.#run(script);
    if (!result.output.includes("kept")) throw this.#failed("keep a piece", result);
  }

  /** All that is in it, in pieces. */
  async *read(): AsyncGenerator<Buffer> {
    for (let index = 0; ; index++) {
      const script = `dd if=${this.path} bs=${pieceBytes} skip=${index} count=1 2>/dev/null | base64 && echo .`;
      const result = await this.#run(script);
      const text = result.output.replaceAll(/\s+/g, "");
      if (!text.endsWith(".")) throw this.#failed("fetch a piece", result);
      const piece = Buffer.from(text.slice(0, -1), "base64");
      if (piece.length > 0) yield piece;
      if (piece.length < pieceBytes) return;
    }
  }

  /** Never rejects: what cannot be removed is in /tmp, and private. */
  async remove(): Promise<void> {
    await this.#access
      .run(`rm -f ${this.path}`, { workdir: "/", separate: false, timeoutMs: pieceTimeoutMs })
      .catch(() => undefined);
  }

  async #run(script: string): Promise<CommandResult> {
    const result = await this.#access.run(script, {
      workdir: "/",
      separate: false,
      timeoutMs: pieceTimeoutMs,
      signal: this.#options.signal,
    });
    this.#options.signal?.throwIfAborted();
    return result;
  }

  #failed(what: string, { output }: CommandResult): FileError {
    const said = output.trim().split("\n").at(-1) ?? "";
    const isFull = /No space left|quota exceeded/i.test(output);
    return new FileError(
      this.path,
      isFull ? "no_space" : "io",
      `The ${this.#options.operation} could not ${what}: ${said.slice(0, 300)}`,
      { backend: this.#access.backend, operation: this.#options.operation },
    );
  }
}

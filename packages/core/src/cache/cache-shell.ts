import type { StdinSource } from "../environment/execute-options.js";
import type { SandboxAccess } from "../environment/sandbox-access.js";
import { EnvironmentConnectionError } from "../errors/errors.js";
import { CacheSyncError } from "./cache-sync-error.js";

export interface CacheScriptOptions {
  readonly stdin?: StdinSource | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Most bytes of the answer. Default 64 KiB. */
  readonly maxAnswerBytes?: number | undefined;
}

/** How a script of the sync ended. */
export interface CacheAnswer {
  readonly exitCode: number;
  readonly output: string;
  /** What programs complained about; part of `output` where streams cannot be had apart. */
  readonly complaint: string;
}

/** A large cache over a thin line; who needs it sooner has the signal. */
const timeoutMs = 60 * 60 * 1000;

/** Thrown within a sync when the sandbox turned out to be a new one: what was known speaks of the old. */
export class SandboxChanged extends Error {}

/** Runs the scripts of a sync in one generation of the sandbox: one round trip each. */
export class CacheShell {
  readonly #access: SandboxAccess;
  #abilities: ReadonlySet<string> | undefined;
  /** The generation that the answers speak of, once there was one. */
  #generation: number | undefined;

  constructor(access: SandboxAccess) {
    this.#access = access;
  }

  get generation(): number | undefined {
    return this.#generation;
  }

  async hasStdin(): Promise<boolean> {
    return (await this.#able()).has("stdin");
  }

  /** Throws CacheSyncError unless the script ended by itself, SandboxChanged when another sandbox answered. */
  async run(script: string, options: CacheScriptOptions = {}): Promise<CacheAnswer> {
    const isSeparate = (await this.#able()).has("separateStreams");
    const result = await this.#access.run(script, {
      workdir: "/",
      env: { LC_ALL: "C" },
      separate: isSeparate,
      timeoutMs,
      maxOutputBytes: options.maxAnswerBytes ?? 64 * 1024,
      ...(options.stdin === undefined ? {} : { stdin: options.stdin }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    this.#generation ??= result.generation;
    if (this.#generation !== result.generation) throw new SandboxChanged();
    const { outcome } = result;
    if (outcome.kind === "exited") {
      const output = result.stdout ?? result.output;
      return { exitCode: outcome.code, output, complaint: (result.stderr ?? output).trim().slice(0, 500) };
    }
    options.signal?.throwIfAborted();
    if (outcome.kind === "lost") {
      throw new EnvironmentConnectionError(
        `The sandbox was lost while the cache was sent: ${outcome.reason}`,
        {
          backend: this.#access.backend,
          operation: "cache.sync",
          retryHint: "Sync again: what had not been sent is sent then.",
        },
      );
    }
    throw this.error(`a script of the sync did not end by itself (${outcome.kind})`);
  }

  error(why: string, paths?: readonly string[]): CacheSyncError {
    return new CacheSyncError(`The cache could not be brought up to date in the sandbox: ${why}.`, {
      backend: this.#access.backend,
      ...(paths === undefined ? {} : { paths }),
      hint: "Nothing was taken as done: the next sync tries again. terminal.cache_sync: false turns it off.",
    });
  }

  async #able(): Promise<ReadonlySet<string>> {
    this.#abilities ??= new Set<string>(
      (await this.#access.environment.capabilities?.()) ?? ["stdin", "separateStreams"],
    );
    return this.#abilities;
  }
}

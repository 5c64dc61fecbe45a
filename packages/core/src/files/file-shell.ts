import type { CommandResult } from "../environment/execute-result.js";
import type { OutputChunk } from "../environment/execute-options.js";
import type { SandboxAccess } from "../environment/sandbox-access.js";
import { EnvironmentConnectionError, FileError, UnsupportedCapabilityError } from "../errors/errors.js";
import type { FilePath } from "./file-path.js";
import { parseFilePath } from "./file-path.js";
import type { FileSettings } from "./file-settings.js";
import { oneSlash } from "./resolve-script.js";
import { decodeAnswer, encodeAnswer } from "./text-only-answer.js";

/** How a script of a file operation is run. */
export interface FileScriptOptions {
  /** For the texts of errors: `read`, `write` … */
  readonly operation: string;
  readonly path: FilePath;
  readonly stdin?: Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Most bytes the answer may have. More is an error of Talaria's own. Default 1 MiB. */
  readonly maxAnswerBytes?: number | undefined;
  /** Takes the answer piece by piece; it is then not kept. */
  readonly onAnswer?: ((bytes: Uint8Array) => void) | undefined;
  /** Milliseconds. Default 120,000. */
  readonly timeoutMs?: number | undefined;
  /** It prints no complaint, and the locale means nothing to it: such a script costs less. */
  readonly isQuiet?: boolean | undefined;
  /** Start where the session stands even if the path does not need it. */
  readonly standing?: boolean | undefined;
}

/** What a script answered. */
export interface FileAnswer {
  readonly bytes: Buffer;
  /** What programs complained about, in English. */
  readonly complaint: string;
}

const defaultTimeoutMs = 120_000;
const defaultAnswerBytes = 1024 * 1024;
/** A spare for the answer's own words. */
const answerMarginBytes = 64 * 1024;

/**
 * Runs the scripts of file operations: one round trip each, on a shell of Talaria's own, in the C locale. Where an
 * environment gives nothing but text, answers travel as base64.
 */
export class FileShell {
  readonly access: SandboxAccess;
  readonly settings: FileSettings;
  /** False once the sandbox turned out to have no bash, or no `stat` of GNU's kind. */
  readsSmall = true;
  readonly #turns = new Map<string, Promise<void>>();
  #abilities: Promise<ReadonlySet<string>> | undefined;
  #home: { readonly generation: number; readonly path: Promise<string> } | undefined;

  constructor(access: SandboxAccess, settings: FileSettings) {
    this.access = access;
    this.settings = settings;
  }

  /** What a path argument means here. */
  path(asked: string): FilePath {
    return parseFilePath(asked, (path) => this.access.toSandboxPath(path));
  }

  /** Whether bytes can be given to a script's standard input. */
  async hasStdin(): Promise<boolean> {
    const abilities = await this.#able();
    return abilities.has("stdin") && abilities.has("separateStreams");
  }

  /** The sandbox's home without links on its way. Asked once. */
  physicalHome(path: FilePath): Promise<string> {
    const { generation } = this.access.environment;
    if (this.#home?.generation !== generation) {
      const asking = this.run(`cd -P -- ~ 2>/dev/null && { ${oneSlash}; printf '%s' "$PWD"; }`, {
        operation: "home",
        path: { ...path, base: "root" },
      }).then(({ bytes }) => bytes.toString("latin1"));
      this.#home = { generation, path: asking };
      // A failure is not remembered: the next call asks again.
      asking.catch(() => (this.#home = undefined));
    }
    return this.#home.path;
  }

  /**
   * Runs work on files of one name one after the other: between a look at a version and the new file in its place, no
   * other write of this session comes.
   */
  async inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(name);
    const mine = before === undefined ? work() : before.then(work);
    const settled = mine.then(
      () => undefined,
      () => undefined,
    );
    this.#turns.set(name, settled);
    try {
      return await mine;
    } finally {
      if (this.#turns.get(name) === settled) this.#turns.delete(name);
    }
  }

  /** Runs a script to its end. Throws unless it ended by itself. */
  async run(script: string, options: FileScriptOptions): Promise<FileAnswer> {
    const { access } = this;
    const isTextOnly = !(await this.#able()).has("separateStreams");
    if (isTextOnly && options.stdin !== undefined) {
      throw new UnsupportedCapabilityError(
        "stdin",
        `"${access.backend}" takes no standard input, so this much cannot be written there.`,
        {
          backend: access.backend,
          operation: options.operation,
          hint: "Write less at once, or use another backend.",
        },
      );
    }
    const limit = (options.maxAnswerBytes ?? defaultAnswerBytes) + answerMarginBytes;
    const take = isTextOnly ? undefined : answerTaker(options.onAnswer);
    const result = await access.run(isTextOnly ? encodeAnswer(script) : script, {
      ...(options.isQuiet === true ? {} : { env: { LC_ALL: "C" } }),
      separate: !isTextOnly && options.isQuiet !== true,
      timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
      maxOutputBytes: options.onAnswer !== undefined && !isTextOnly ? 4096 : limit * (isTextOnly ? 2 : 1),
      ...(options.path.base === "standing" || options.standing === true ? {} : { workdir: "/" }),
      ...(options.stdin === undefined ? {} : { stdin: options.stdin }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      ...(take === undefined ? {} : { onOutput: take }),
    });
    this.#assertEnded(result, options);
    if (options.onAnswer === undefined && result.truncated !== undefined) {
      throw this.#error(options, `the answer has more than ${limit} bytes`);
    }
    if (!isTextOnly) {
      return { bytes: asBuffer(result.stdoutBytes ?? result.outputBytes), complaint: result.stderr ?? "" };
    }
    const answer = decodeAnswer(result.output);
    if (answer === undefined) throw this.#error(options, "the sandbox's answer came damaged");
    options.onAnswer?.(answer.bytes);
    return answer;
  }

  #able(): Promise<ReadonlySet<string>> {
    this.#abilities ??= (async () => {
      const { environment } = this.access;
      const names = (await environment.capabilities?.()) ?? ["stdin", "separateStreams"];
      return new Set<string>(names);
    })();
    this.#abilities.catch(() => (this.#abilities = undefined));
    return this.#abilities;
  }

  #assertEnded({ outcome }: CommandResult, options: FileScriptOptions): void {
    const { backend } = this.access;
    switch (outcome.kind) {
      case "exited":
        return;
      case "cancelled":
      case "notStarted":
        options.signal?.throwIfAborted();
        throw this.#error(options, "it was cancelled");
      case "timedOut":
        throw this.#error(options, `it took longer than ${outcome.timeoutMs} ms`);
      case "signaled":
        throw this.#error(options, `its shell was ended by ${outcome.signal}`);
      case "lost":
        throw new EnvironmentConnectionError(
          `The sandbox was lost during ${options.operation} of "${options.path.asked}": ${outcome.reason}`,
          {
            backend,
            operation: options.operation,
            retryHint: "Look whether it was done before doing it again.",
          },
        );
    }
  }

  #error(options: FileScriptOptions, why: string): FileError {
    return new FileError(
      options.path.asked,
      "io",
      `${options.operation} of "${options.path.asked}" did not end: ${why}.`,
      { backend: this.access.backend, operation: options.operation },
    );
  }
}

function answerTaker(onAnswer: FileScriptOptions["onAnswer"]): ((chunk: OutputChunk) => void) | undefined {
  if (onAnswer === undefined) return undefined;
  return ({ stream, bytes }) => {
    if (stream !== "stderr") onAnswer(bytes);
  };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

import type { OutputChunk } from "../environment/execute-options.js";
import type { Truncation } from "../environment/execute-result.js";
import { OutputCapture } from "../environment/output-capture.js";
import { SpillWriter, type SpillHandle } from "../environment/spill-file.js";
import { outputFilter } from "../secrets/output-filter.js";
import type { RedactionRules } from "../secrets/redaction-rules.js";
import type { ByteFilter } from "../secrets/stream-redactor.js";
import { callerError } from "./caller-error.js";

/** The output members of a result. */
export interface OutputFields {
  readonly output: string;
  readonly outputBytes: Uint8Array;
  readonly ordered: boolean;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly stdoutBytes?: Uint8Array;
  readonly stderrBytes?: Uint8Array;
  readonly truncated?: Truncation;
}

export interface CommandOutputOptions {
  readonly maxOutputBytes: number;
  readonly separate: boolean;
  /** Undefined: what outgrows the capture is dropped. */
  readonly spillDirectory: string | undefined;
  readonly onOutput: ((chunk: OutputChunk) => void | Promise<void>) | undefined;
  /** Called once when `onOutput` throws or rejects. */
  readonly onFailure: (error: unknown) => void;
  /** What is taken out before anything is done with the output. */
  readonly redact?: RedactionRules | undefined;
}

type Stream = "stdout" | "stderr";

/**
 * Takes a command's output: takes secrets out, passes it on, keeps its head and tail, spills the whole once it outgrows
 * them. All counts are of the output without its secrets, so that they agree with what is kept.
 */
export class CommandOutput {
  readonly #options: CommandOutputOptions;
  readonly #all: OutputCapture;
  readonly #stdout: OutputCapture | undefined;
  readonly #stderr: OutputCapture | undefined;
  /** By stream: a secret does not go on in the other one. Undefined when nothing is taken out. */
  readonly #filters: Readonly<Record<Stream, ByteFilter>> | undefined;
  #spill: SpillWriter | undefined;
  #failed = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(options: CommandOutputOptions) {
    this.#options = options;
    this.#all = new OutputCapture(options.maxOutputBytes);
    if (options.separate) {
      this.#stdout = new OutputCapture(options.maxOutputBytes);
      this.#stderr = new OutputCapture(options.maxOutputBytes);
    }
    const stdout = outputFilter(options.redact);
    const stderr = outputFilter(options.redact);
    this.#filters = stdout === undefined || stderr === undefined ? undefined : { stdout, stderr };
  }

  get totalBytes(): number {
    return this.#all.totalBytes;
  }

  /** Takes the next piece. A returned promise asks the sender to wait. */
  take(stream: Stream, bytes: Buffer): Promise<void> | undefined {
    if (this.#filters === undefined) return this.#takeClean(stream, bytes);
    return this.#takeAll(stream, this.#filters[stream].push(bytes));
  }

  /** The end of output. Throws when `onOutput` fails at what had been held back until now. */
  async finish(): Promise<OutputFields> {
    await this.#flush();
    const all = this.#all.finish();
    const handle = await this.#spill?.finish();
    const fields = { output: all.text, outputBytes: all.bytes, ordered: !this.#options.separate };
    const truncated = all.droppedBytes > 0 ? { truncated: truncationOf(all, handle) } : {};
    if (this.#stdout === undefined || this.#stderr === undefined) return { ...fields, ...truncated };
    const stdout = this.#stdout.finish();
    const stderr = this.#stderr.finish();
    return {
      ...fields,
      ...truncated,
      stdout: stdout.text,
      stdoutBytes: stdout.bytes,
      stderr: stderr.text,
      stderrBytes: stderr.bytes,
    };
  }

  async #flush(): Promise<void> {
    if (this.#filters === undefined) return;
    const hadFailed = this.#failed;
    for (const stream of ["stdout", "stderr"] as const) {
      await this.#takeAll(stream, this.#filters[stream].flush());
    }
    if (!hadFailed && this.#failure !== undefined) throw callerError(this.#failure.error);
  }

  /** As one piece: what comes next may be taken before this one has been waited for. */
  #takeAll(stream: Stream, pieces: readonly Buffer[]): Promise<void> | undefined {
    const [first, ...others] = pieces;
    if (first === undefined) return undefined;
    return this.#takeClean(stream, others.length === 0 ? first : Buffer.concat(pieces));
  }

  #takeClean(stream: Stream, bytes: Buffer): Promise<void> | undefined {
    const spilled = this.#keep(bytes);
    (stream === "stdout" ? this.#stdout : this.#stderr)?.push(bytes);
    const passed = this.#pass(stream, bytes);
    if (spilled === undefined) return passed;
    return passed === undefined ? spilled : Promise.all([spilled, passed]).then(() => {});
  }

  #keep(bytes: Buffer): Promise<void> | undefined {
    const { maxOutputBytes, spillDirectory } = this.#options;
    const outgrows = this.#all.totalBytes + bytes.length > maxOutputBytes;
    if (outgrows && this.#spill === undefined && spillDirectory !== undefined) {
      this.#spill = new SpillWriter(spillDirectory);
      void this.#spill.write(this.#all.everything());
    }
    this.#all.push(bytes);
    return this.#spill?.write(bytes);
  }

  #pass(stream: Stream, bytes: Buffer): Promise<void> | undefined {
    const { onOutput, separate, onFailure } = this.#options;
    if (onOutput === undefined || this.#failed) return undefined;
    const fail = (error: unknown): void => {
      if (this.#failed) return;
      this.#failed = true;
      this.#failure = { error };
      onFailure(error);
    };
    try {
      const wait = onOutput({ stream: separate ? stream : "output", bytes });
      return wait instanceof Promise ? wait.catch(fail) : undefined;
    } catch (error) {
      fail(error);
      return undefined;
    }
  }
}

function truncationOf(
  captured: { readonly totalBytes: number; readonly droppedBytes: number },
  spill: SpillHandle | undefined,
): Truncation {
  const { totalBytes, droppedBytes } = captured;
  return spill === undefined ? { totalBytes, droppedBytes } : { totalBytes, droppedBytes, spill };
}

import type { SandboxAccess } from "../../environment/sandbox-access.js";
import type { SandboxProcess } from "../../environment/sandbox-process.js";
import { EnvironmentConnectionError } from "../../errors/errors.js";
import { BoundedText } from "./bounded-text.js";
import type { ChannelOptions, ScriptFiles } from "./transfer-channel.js";
import { readScriptEnd, type ScriptEnd, type TransferScript } from "./transfer-script.js";

const complaintCharacters = 16 * 1024;
/** From TERM, which lets a script tidy up, to KILL. */
const graceMs = 2_000;
/** After a KILL, and for the last words of a process that has ended. */
const lastWordsMs = 5_000;

/** A script as a process of the sandbox. */
export class RunningScript {
  readonly process: SandboxProcess;
  readonly #script: TransferScript;
  readonly #options: ChannelOptions;
  readonly #backend: string;
  readonly #said = new BoundedText(complaintCharacters);
  readonly #heard: Promise<void>;
  readonly #onAbort: () => void;
  #stopping: Promise<void> | undefined;
  #ending: Promise<ScriptEnd> | undefined;

  static async start(
    access: SandboxAccess,
    script: TransferScript,
    options: ChannelOptions,
    files: ScriptFiles = {},
  ): Promise<RunningScript> {
    options.signal?.throwIfAborted();
    const process = await access.spawn(["sh", "-c", script.text], { workdir: "/", ...files });
    return new RunningScript(process, script, options, access.backend);
  }

  private constructor(
    process: SandboxProcess,
    script: TransferScript,
    options: ChannelOptions,
    backend: string,
  ) {
    this.process = process;
    this.#script = script;
    this.#options = options;
    this.#backend = backend;
    // A broken pipe is no news: the script's words tell why it ended.
    process.stdin.on("error", () => undefined);
    process.stdout.on("error", () => undefined);
    process.stderr.on("data", (bytes: Buffer) => this.#said.add(bytes.toString("latin1")));
    this.#heard = new Promise((resolve) => {
      process.stderr
        .on("end", resolve)
        .on("close", resolve)
        .on("error", () => resolve());
    });
    this.#onAbort = () => void this.stop();
    options.signal?.addEventListener("abort", this.#onAbort, { once: true });
    if (options.signal?.aborted === true) this.#onAbort();
  }

  throwIfAborted(): void {
    this.#options.signal?.throwIfAborted();
  }

  /** Waits for the end and reads the script's last words. */
  end(): Promise<ScriptEnd> {
    return (this.#ending ??= this.#end());
  }

  async #end(): Promise<ScriptEnd> {
    try {
      const exit = await this.process.exit;
      await within(this.#heard, lastWordsMs);
      this.throwIfAborted();
      if (exit.kind === "lost") {
        throw new EnvironmentConnectionError(
          `The sandbox was lost during the ${this.#options.operation}: ${exit.reason}`,
          {
            backend: this.#backend,
            operation: this.#options.operation,
            retryHint: "Nothing half-written is in place. Try again when the sandbox can be reached.",
          },
        );
      }
      return readScriptEnd(this.#said.text, this.#script.nonce);
    } finally {
      this.#options.signal?.removeEventListener("abort", this.#onAbort);
    }
  }

  /** Ends it: by TERM, on which it tidies up, then by KILL. Never rejects. */
  stop(): Promise<void> {
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    return (this.#stopping ??= this.#stop());
  }

  async #stop(): Promise<void> {
    const { process } = this;
    process.stdin.destroy();
    await process.kill("SIGTERM").catch(() => undefined);
    // What a script still has to say must not block it.
    process.stdout.destroy();
    if (await within(process.exit, graceMs)) return;
    await process.kill("SIGKILL").catch(() => undefined);
    await within(process.exit, lastWordsMs);
  }
}

/** Whether it settled in time. */
async function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

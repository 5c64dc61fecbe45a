import type { SandboxAccess } from "../../environment/sandbox-access.js";
import { RunningScript } from "./running-script.js";
import type { ChannelOptions, GrowthWatch, ScriptFiles } from "./transfer-channel.js";
import type { ScriptEnd, TransferScript } from "./transfer-script.js";

const lookEveryMs = 200;

/**
 * Runs a script on open files of this machine. Between two regular files GNU `cat` leaves the copying to the kernel, and
 * nothing that passes bytes through a pipe is as fast.
 */
export async function runOnFiles(
  access: SandboxAccess,
  script: TransferScript,
  files: ScriptFiles,
  watch: GrowthWatch,
  options: ChannelOptions,
): Promise<ScriptEnd> {
  const running = await RunningScript.start(access, script, options, files);
  running.process.stdin.end();
  running.process.stdout.resume();
  const looks = new Looks(watch, () => void running.stop());
  try {
    looks.start();
    const end = await running.end();
    await looks.stop();
    return end;
  } catch (error) {
    await running.stop();
    await looks.stop();
    throw error;
  }
}

/** Looks at what grows, one look at a time. */
class Looks {
  readonly #watch: GrowthWatch;
  readonly #onFailure: () => void;
  #timer: NodeJS.Timeout | undefined;
  #look: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(watch: GrowthWatch, onFailure: () => void) {
    this.#watch = watch;
    this.#onFailure = onFailure;
  }

  start(): void {
    this.#tell(0);
    // It keeps nobody alive: the script does.
    this.#timer = setInterval(() => {
      this.#look ??= this.#once().finally(() => (this.#look = undefined));
    }, lookEveryMs).unref();
  }

  /** No look is under way any more. Throws what `onGrowth` threw. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#look;
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async #once(): Promise<void> {
    const bytes = await this.#watch.sizeBytes().catch(() => undefined);
    if (bytes !== undefined && this.#failure === undefined) this.#tell(bytes);
  }

  #tell(bytes: number): void {
    try {
      this.#watch.onGrowth(bytes);
    } catch (error) {
      this.#failure = { error };
      this.#onFailure();
    }
  }
}

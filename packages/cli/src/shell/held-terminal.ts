import type { SandboxProcess, TerminalSize } from "@talaria/core";
import type { StreamWriter } from "../output/writer.js";

/** How long output that is still on its way is waited for once the shell has ended. A job may hold the terminal open. */
const lastOutputMs = 250;

/** The person's terminal, lent to a process in the sandbox and given back whatever happens. */
export class HeldTerminal {
  readonly #stdin: NodeJS.ReadStream;
  readonly #screen: NodeJS.WriteStream;
  readonly #writer: StreamWriter;

  constructor(stdin: NodeJS.ReadStream, screen: NodeJS.WriteStream, writer: StreamWriter) {
    this.#stdin = stdin;
    this.#screen = screen;
    this.#writer = writer;
  }

  get size(): TerminalSize {
    return { columns: this.#screen.columns || 80, rows: this.#screen.rows || 24 };
  }

  /** Connects the terminal to the process until that ends. Returns the signal that ended the CLI's own part, if one did. */
  async lendTo(process: SandboxProcess): Promise<NodeJS.Signals | undefined> {
    let endedBy: NodeJS.Signals | undefined;
    const hangUp = (name: NodeJS.Signals): void => {
      endedBy ??= name;
      void process.kill("SIGHUP");
    };
    const onInterrupt = (): void => void process.stdin.write("\u0003");
    const onResize = (): void => process.resize?.(this.size);
    const onGone = (): void => {
      hangUp("SIGHUP");
    };
    const input = (bytes: Buffer): void => void process.stdin.write(bytes);
    // Keys typed into a shell that is just ending have nowhere to go, which is no failure.
    process.stdin.on("error", () => undefined);

    globalThis.process.on("SIGTERM", hangUp).on("SIGHUP", hangUp).on("SIGINT", onInterrupt);
    this.#screen.on("resize", onResize);
    this.#stdin.on("data", input).on("end", onGone).on("error", onGone);
    this.#writer.whenLost(onGone);
    this.#stdin.setRawMode(true);
    this.#stdin.resume();
    try {
      const output = this.#show(process);
      await process.exit;
      await Promise.race([output, deadline(lastOutputMs)]);
    } finally {
      this.#stdin.off("data", input).off("end", onGone).off("error", onGone);
      this.#screen.off("resize", onResize);
      globalThis.process.off("SIGTERM", hangUp).off("SIGHUP", hangUp).off("SIGINT", onInterrupt);
      this.#giveBack();
    }
    return endedBy;
  }

  async #show(process: SandboxProcess): Promise<void> {
    try {
      for await (const bytes of process.stdout) await this.#writer.write(bytes as Uint8Array);
    } catch {
      // A terminal whose last process is gone reads as an error (EIO) on Linux: that is its end.
    }
  }

  #giveBack(): void {
    try {
      this.#stdin.setRawMode(false);
    } catch {
      // The terminal was hung up: there is nothing to give back.
    }
    this.#stdin.pause();
  }
}

function deadline(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}

import type { EnvironmentExecuteOptions } from "../environment/execute-options.js";
import type { ProcessExit, SandboxProcess } from "../environment/sandbox-process.js";
import type { OutputSink, Spawn } from "./channel.js";
import { FrameReader, type Frame } from "./frame-reader.js";
import { feedStdin, type InputEnd } from "./command-stdin.js";
import type { OneShotScript } from "./one-shot-script.js";
import { streamsEnded } from "./streams-ended.js";
import { writeAndWait } from "./write-and-wait.js";

/** How a one-shot command ended. */
export interface OneShotEnd {
  readonly exit: ProcessExit;
  /** The status its EXIT trap saw, when that ran. */
  readonly status: number | undefined;
  /** Where it stood at its end, in shell bytes. */
  readonly cwd: string | undefined;
  /** Where it really started, when the directory asked for could not be entered. */
  readonly adjustedStart: string | undefined;
  /** Why its start directory could not be entered. */
  readonly problem: string | undefined;
  readonly stopped: "timedOut" | "cancelled" | undefined;
}

/** How long output may still come after the process has ended. */
const drainMs = 150;

/** One `sh` that runs one command. */
export class OneShotProcess {
  readonly #process: SandboxProcess;
  readonly #signal: AbortSignal | undefined;
  #stopped: "timedOut" | "cancelled" | undefined;
  #tidy = false;

  private constructor(process: SandboxProcess, signal: AbortSignal | undefined) {
    this.#process = process;
    this.#signal = signal;
  }

  /** Starts a command. Its input, if it has one, is fed while it runs. */
  static async start(
    spawn: Spawn,
    script: OneShotScript,
    command: EnvironmentExecuteOptions,
    onFailure: (error: unknown) => void,
  ): Promise<OneShotProcess> {
    const user = command.user === undefined ? {} : { user: command.user };
    const { stdin } = command;
    if (stdin !== undefined) await runToEnd(await spawn(["sh", "-c", script.store, "sh"], user), script.text);
    const program = stdin === undefined ? script.storeAndRun : script.run;
    const process = await spawn(["sh", "-c", program, "sh"], user);
    process.stdin.on("error", () => {});
    const started = new OneShotProcess(process, command.signal);
    if (stdin === undefined) process.stdin.end(script.text);
    else
      feedStdin(
        started.#input,
        stdin,
        process.exit.then(() => {}),
      ).catch(onFailure);
    return started;
  }

  /** The process's input as `feedStdin` writes to it. */
  get #input(): InputEnd {
    const { stdin } = this.#process;
    return {
      writeStdin: (bytes) => writeAndWait(stdin, bytes),
      endInput: () => stdin.end(),
      get inputOpen() {
        return stdin.writable;
      },
    };
  }

  /** Whether its files may still be there: its EXIT trap, which removes them, has not run. */
  get leftFiles(): boolean {
    return !this.#tidy;
  }

  /** Waits for the end. */
  async run(nonce: Buffer, timeoutMs: number, graceMs: number, sink: OutputSink): Promise<OneShotEnd> {
    let frame: Frame | undefined;
    let after = "";
    const late = (bytes: Buffer): void => {
      after += bytes.toString("latin1");
    };
    const { stdout, stderr } = this.#process;
    const reader = new FrameReader(nonce, (bytes) => this.#deliver("stdout", bytes, sink), late);
    stdout.on("data", (bytes: Buffer) => {
      if (frame !== undefined) {
        late(bytes);
        return;
      }
      const answer = reader.feed(bytes);
      if (answer === undefined) return;
      frame = answer.frame;
      late(answer.rest);
    });
    stderr.on("data", (bytes: Buffer) => this.#deliver("stderr", bytes, sink));
    const timer = setTimeout(() => void this.stop("timedOut", graceMs), timeoutMs);
    const onAbort = (): void => void this.stop("cancelled", graceMs);
    this.#signal?.addEventListener("abort", onAbort, { once: true });
    const exit = await this.#process.exit;
    await streamsEnded([stdout, stderr], drainMs);
    clearTimeout(timer);
    this.#signal?.removeEventListener("abort", onAbort);
    reader.flush();
    this.#tidy = frame?.kind === "x";
    const [said = "", adjusted = ""] = after.split(nonce.toString("latin1"));
    const entered = frame?.kind !== "w";
    return {
      exit,
      status: entered ? frame?.status : undefined,
      cwd: entered && said.startsWith("/") ? said : undefined,
      adjustedStart: entered && adjusted.startsWith("/") ? adjusted : undefined,
      problem: entered ? undefined : said,
      stopped: this.#stopped,
    };
  }

  /** Ends the process, with TERM first and KILL after the grace. */
  async stop(cause: "timedOut" | "cancelled", graceMs: number): Promise<void> {
    if (this.#stopped !== undefined) return;
    this.#stopped = cause;
    await this.#process.kill("SIGTERM");
    const timer = setTimeout(() => void this.#process.kill("SIGKILL"), graceMs);
    await this.#process.exit;
    clearTimeout(timer);
  }

  #deliver(stream: "stdout" | "stderr", bytes: Buffer, sink: OutputSink): void {
    const wait = sink(stream, bytes);
    if (wait === undefined) return;
    const readable = stream === "stdout" ? this.#process.stdout : this.#process.stderr;
    readable.pause();
    void wait.finally(() => readable.resume());
  }
}

/** Gives a process its whole input and waits for its end. */
async function runToEnd(process: SandboxProcess, input: Buffer): Promise<void> {
  process.stdin.on("error", () => {});
  process.stdout.resume();
  process.stderr.resume();
  process.stdin.end(input);
  await process.exit;
}

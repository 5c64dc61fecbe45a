import { randomBytes } from "node:crypto";
import type { ProcessExit, SandboxProcess, SpawnOptions } from "../environment/sandbox-process.js";
import { channelArgv, driverText } from "./driver.js";
import { FrameReader, type Frame } from "./frame-reader.js";
import { parseHello, type Hello } from "./hello.js";
import { readHello } from "./read-hello.js";
import { encodeRequest, makeNonce, NonceSource, type ChannelRequest } from "./request.js";
import type { InheritedState } from "./prelude.js";
import { carriedStateOf, type CarriedState } from "./carried-state.js";
import { parseStateDump, wholeMark, type StateDump } from "./state-dump.js";
import { streamEnded, streamsEnded } from "./streams-ended.js";
import { writeAndWait } from "./write-and-wait.js";

/** Starts a process in the sandbox. */
export type Spawn = (argv: readonly string[], options: SpawnOptions) => Promise<SandboxProcess>;

/** Where a command's output goes. A returned promise holds the stream back until it settles. */
export type OutputSink = (stream: "stdout" | "stderr", bytes: Buffer) => void | Promise<void>;

/** How a command on a channel ended. */
export type ChannelAnswer =
  | { readonly kind: "answered"; readonly frame: Frame; readonly exitAt: number }
  | { readonly kind: "died"; readonly exit: ProcessExit; readonly exitAt: number };

interface RunningCommand {
  readonly stdout: FrameReader;
  readonly stderr: FrameReader | undefined;
  readonly settle: (answer: ChannelAnswer) => void;
  frame: Frame | undefined;
  exitAt: number;
  stderrDone: boolean;
}

/** How long output may still come in after a channel's bash has died. */
const drainAfterDeathMs = 150;

/** One bash in the sandbox that runs one command after the other. See `driver.ts` for its other half. */
export class Channel {
  /** Marks every process of this channel in its environment. */
  readonly mark: string;
  readonly hello: Hello;
  /** What its bash holds; moves when a request carries an `inherit` text. */
  held: InheritedState = { functions: new Map(), aliases: new Map() };
  /** The last state it reported: an answer of kind `u` means this one. */
  #lastDump: StateDump | undefined;
  #lastState: CarriedState | undefined;
  /** Bytes written by processes that earlier commands left running. */
  lateBytes = 0;
  /** Settles when the channel's bash has ended. */
  readonly ended: Promise<ProcessExit>;

  readonly #process: SandboxProcess;
  readonly #nonces = new NonceSource();
  #running: RunningCommand | undefined;
  #exit: ProcessExit | undefined;
  #killing = false;
  /** The clock of the running command. */
  #now: () => number = () => 0;

  private constructor(mark: string, hello: Hello, process: SandboxProcess) {
    this.mark = mark;
    this.hello = hello;
    this.#process = process;
    this.ended = process.exit;
    process.stdin.on("error", () => {});
    process.stdout.on("data", (bytes: Buffer) => this.#onStdout(bytes));
    process.stderr.on("data", (bytes: Buffer) => this.#onStderr(bytes));
    process.stdout.on("error", () => {});
    process.stderr.on("error", () => {});
    void this.ended.then((exit) => this.#onExit(exit));
  }

  /** Starts a channel and waits until it has said hello. */
  static async open(spawn: Spawn, options: SpawnOptions): Promise<Channel> {
    const mark = randomBytes(9).toString("hex");
    const nonce = makeNonce();
    const driver = Buffer.from(driverText(mark, nonce.toString("latin1")), "latin1");
    const process = await spawn(channelArgv(driver.length), {
      ...options,
      env: { ...options.env, TALARIA_CHANNEL: mark },
    });
    process.stdin.on("error", () => {});
    process.stdin.write(driver);
    const frame = await readHello(process, nonce, options.signal);
    return new Channel(mark, parseHello(frame.leftover, frame.payload), process);
  }

  /**
   * The state an answer speaks of, undefined when it hides it. The carried part is the same object as long as it is the
   * same state, so that merging a command that changed nothing costs nothing.
   */
  stateOf(frame: Frame, start: CarriedState): { dump: StateDump; carried: CarriedState } | undefined {
    if (frame.kind === "x" && frame.payload.length > 0) {
      const text = frame.payload.toString("latin1");
      if (!text.endsWith(wholeMark)) return undefined;
      this.#lastDump = parseStateDump(text);
      this.#lastState = undefined;
    } else if (frame.kind !== "u") return undefined;
    const dump = this.#lastDump;
    if (dump === undefined) return undefined;
    // A dump without functions means those the command started with.
    const isCurrent = dump.functions !== undefined || this.#lastState?.functions === start.functions;
    if (this.#lastState === undefined || !isCurrent) this.#lastState = carriedStateOf(dump, start);
    return { dump, carried: this.#lastState };
  }

  /** False once its bash has ended: nothing can be run any more. */
  get alive(): boolean {
    return this.#exit === undefined;
  }

  /** Submits one command. Never rejects: a channel that dies is an answer too. `stdin` gets the rest of the input. */
  run(request: ChannelRequest, sink: OutputSink, now: () => number): Promise<ChannelAnswer> {
    const nonce = this.#nonces.next();
    return new Promise((resolve) => {
      const deliver = (stream: "stdout" | "stderr") => (bytes: Buffer) => {
        const wait = sink(stream, bytes);
        if (wait !== undefined) this.#holdBack(stream, wait);
      };
      const late = (bytes: Buffer): void => {
        this.lateBytes += bytes.length;
      };
      this.#running = {
        stdout: new FrameReader(nonce, deliver("stdout"), late),
        stderr: request.merge ? undefined : new FrameReader(nonce, deliver("stderr"), late),
        settle: resolve,
        frame: undefined,
        exitAt: 0,
        stderrDone: request.merge,
      };
      this.#now = now;
      if (this.#exit !== undefined) {
        this.#onExit(this.#exit);
        return;
      }
      this.#process.stdin.write(encodeRequest(request, nonce));
    });
  }

  /** Writes to the running command's standard input. Resolves when the transport can take more. */
  writeStdin(bytes: Uint8Array): Promise<void> {
    return writeAndWait(this.#process.stdin, bytes);
  }

  /** Ends the channel's input: a waiting channel then removes its files and ends by itself. */
  endInput(): void {
    this.#process.stdin.end();
  }

  /** False when the transport's side of the input is closed, because nobody reads it any more. */
  get inputOpen(): boolean {
    return this.#process.stdin.writable && this.alive;
  }

  /** The last resort when the sandbox's own kill cannot be had. */
  async killTransport(): Promise<void> {
    await this.#process.kill("SIGKILL");
  }

  /** Resolves when stdout and stderr have ended, or after the time given. */
  drained(withinMs: number): Promise<void> {
    return streamsEnded([this.#process.stdout, this.#process.stderr], withinMs);
  }

  /** Resolves when nobody holds the channel's output any more. */
  closed(): Promise<void> {
    return streamEnded(this.#process.stdout);
  }

  /** Lets go of the streams. Processes that still hold them are not ended. */
  abandon(): void {
    this.#process.stdin.destroy();
    this.#process.stdout.destroy();
    this.#process.stderr.destroy();
  }

  /** Stops waiting for the running command; its output goes nowhere from now on. */
  detach(): void {
    this.#running?.stdout.flush();
    this.#running?.stderr?.flush();
    this.#running = undefined;
  }

  /** From now on the death of its bash is no answer: who kills waits for the last output and then calls `detach`. */
  expectKill(): void {
    this.#killing = true;
  }

  #holdBack(stream: "stdout" | "stderr", wait: Promise<void>): void {
    const readable = stream === "stdout" ? this.#process.stdout : this.#process.stderr;
    readable.pause();
    void wait.then(
      () => readable.resume(),
      () => readable.resume(),
    );
  }

  #onStdout(bytes: Buffer): void {
    const running = this.#running;
    if (running === undefined || running.frame !== undefined) {
      this.lateBytes += bytes.length;
      return;
    }
    const answer = running.stdout.feed(bytes);
    if (answer === undefined) return;
    running.frame = answer.frame;
    running.exitAt = this.#now();
    this.lateBytes += answer.rest.length;
    this.#settleWhenDone(running);
  }

  #onStderr(bytes: Buffer): void {
    const running = this.#running;
    if (running?.stderr === undefined || running.stderrDone) {
      this.lateBytes += bytes.length;
      return;
    }
    if (running.stderr.feed(bytes) === undefined) return;
    running.stderrDone = true;
    this.#settleWhenDone(running);
  }

  #settleWhenDone(running: RunningCommand): void {
    if (running.frame === undefined || !running.stderrDone) return;
    this.#running = undefined;
    running.settle({ kind: "answered", frame: running.frame, exitAt: running.exitAt });
  }

  #onExit(exit: ProcessExit): void {
    this.#exit = exit;
    const running = this.#running;
    if (running === undefined || this.#killing) return;
    const exitAt = this.#now();
    void this.drained(drainAfterDeathMs).then(() => {
      if (this.#running !== running || this.#killing) return;
      this.detach();
      running.settle({ kind: "died", exit, exitAt });
    });
  }
}

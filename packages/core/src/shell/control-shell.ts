import type { KillReport, KillProof, Survivor } from "../environment/outcome.js";
import type { SandboxProcess } from "../environment/sandbox-process.js";
import type { Channel, Spawn } from "./channel.js";
import { controlDriver } from "./control-driver.js";
import { fromShellBytes } from "./shell-bytes.js";

interface Pending {
  readonly survivors: Survivor[];
  readonly settle: (report: KillReport | undefined) => void;
}

/** Beyond the grace, how long the control shell may take to answer. */
const answerTimeoutMs = 10_000;

/** The bash in the sandbox that ends commands and proves it. Started when first needed, again if it has died. */
export class ControlShell {
  readonly #spawn: Spawn;
  #process: Promise<SandboxProcess> | undefined;
  #pending = new Map<string, Pending>();
  #next = 1;
  #text = "";

  constructor(spawn: Spawn) {
    this.#spawn = spawn;
  }

  /** Requests it has not answered yet. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Starts it ahead of need: a kill then works even where no further process can be started. */
  prepare(): void {
    void this.#start().catch(() => {});
  }

  /** Ends everything a channel runs and the channel itself. Undefined when the control shell could not be had. */
  async end(channel: Channel, graceMs: number): Promise<KillReport | undefined> {
    return this.#ask("kill", channel, graceMs);
  }

  /** What a channel's finished commands left running. */
  async list(channel: Channel): Promise<readonly Survivor[]> {
    return (await this.#ask("list", channel, 0))?.survivors ?? [];
  }

  /** Ends the control shell. */
  async close(): Promise<void> {
    const starting = this.#process;
    this.#process = undefined;
    if (starting === undefined) return;
    const process = await starting.catch(() => undefined);
    if (process === undefined) return;
    process.stdin.end();
    await process.exit;
  }

  async #ask(operation: string, channel: Channel, graceMs: number): Promise<KillReport | undefined> {
    const id = String(this.#next++);
    const { pid, files } = channel.hello;
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(undefined), graceMs + answerTimeoutMs);
      const settle = (report: KillReport | undefined): void => {
        clearTimeout(timer);
        this.#pending.delete(id);
        resolve(report);
      };
      this.#pending.set(id, { survivors: [], settle });
      void this.#start().then(
        (process) =>
          process.stdin.write(
            Buffer.from(`${operation} ${id} ${pid} ${graceMs} ${channel.mark} ${files}\n`, "latin1"),
          ),
        () => settle(undefined),
      );
    });
  }

  #start(): Promise<SandboxProcess> {
    this.#process ??= this.#open();
    return this.#process;
  }

  async #open(): Promise<SandboxProcess> {
    const script = Buffer.from(controlDriver, "latin1");
    const argv = [
      "bash",
      "--noprofile",
      "--norc",
      "-c",
      `IFS= read -r -N ${script.length} x; eval "$x"`,
      "talaria-control",
    ];
    const process = await this.#spawn(argv, {});
    process.stdin.on("error", () => {});
    process.stdout.on("error", () => {});
    process.stderr.on("error", () => {});
    process.stdin.write(script);
    process.stdout.on("data", (bytes: Buffer) => this.#onData(bytes));
    process.stderr.resume();
    void process.exit.then(() => {
      this.#process = undefined;
      for (const { settle } of this.#pending.values()) settle(undefined);
    });
    return process;
  }

  #onData(bytes: Buffer): void {
    this.#text += bytes.toString("latin1");
    for (;;) {
      const end = this.#text.indexOf("\n");
      if (end < 0) return;
      const line = this.#text.slice(0, end);
      this.#text = this.#text.slice(end + 1);
      const [id = "", kind, value = ""] = line.split(" ", 3);
      const pending = this.#pending.get(id);
      if (pending === undefined) continue;
      if (kind === "s") {
        const command = line.slice(id.length + 3 + value.length + 1);
        pending.survivors.push({ pid: Number(value), command: fromShellBytes(command) });
      } else {
        pending.settle({ killed: asProof(value), survivors: pending.survivors });
      }
    }
  }
}

function asProof(word: string): KillProof {
  return word === "all" || word === "group" ? word : "unverified";
}

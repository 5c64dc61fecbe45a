import type { CleanupReport } from "../environment/environment.js";
import type { EnvironmentExecuteOptions } from "../environment/execute-options.js";
import type { CommandResult } from "../environment/execute-result.js";
import { exitCodeOf, type Survivor } from "../environment/outcome.js";
import { asSandboxPath } from "../workdir/paths.js";
import type { CarriedState } from "./carried-state.js";
import { Channel, type Spawn } from "./channel.js";
import { ChannelPool, type Lease } from "./channel-pool.js";
import { outcomeOf } from "./command-outcome.js";
import { commandRequest, startDirectoryOf } from "./command-request.js";
import { ControlPool } from "./control-pool.js";
import type { Hello } from "./hello.js";
import { fromShellBytes, toShellBytes } from "./shell-bytes.js";
import { endChannel, RunningCommand, type CommandEnd } from "./running-command.js";
import type { ShellStateSnapshot } from "./shell-state.js";
import { ShellStates } from "./shell-states.js";
import { notStartedResult } from "./not-started.js";
import { startNotes, workdirError } from "./start-problem.js";
import type { StateDump } from "./state-dump.js";

export interface WarmShellOptions {
  readonly spawn: Spawn;
  readonly maxChannels: number;
  readonly spillDirectory: string;
  readonly defaults: {
    readonly timeoutMs: number;
    readonly killGraceMs: number;
    readonly maxOutputBytes: number;
  };
}

/** Runs commands in one sandbox over warm channels and carries each shell id's state from command to command. */
export class WarmShell {
  readonly #options: WarmShellOptions;
  readonly #pool: ChannelPool;
  readonly #control: ControlPool;
  readonly #states = new Map<string, ShellStates>();
  readonly #imported = new Map<string, ShellStateSnapshot>();
  /** A list: a set's table would be made anew every few commands. */
  readonly #running: RunningCommand[] = [];
  readonly #retired = new Set<Channel>();
  #hello: Hello | undefined;
  #opening: Promise<Hello> | undefined;

  constructor(options: WarmShellOptions) {
    this.#options = options;
    this.#control = new ControlPool(options.spawn);
    this.#pool = new ChannelPool((user) => this.#openChannel(user), options.maxChannels);
  }

  /** Runs one command to its end. */
  async execute(
    script: string,
    command: EnvironmentExecuteOptions,
    generation: number,
  ): Promise<CommandResult> {
    const began = performance.now();
    const now = (): number => performance.now() - began;
    const { signal, user } = command;
    if (isAborted(signal)) return notStartedResult(command, this.#hello, generation, now());
    const idle = this.#pool.takeIdle(user);
    if (idle !== undefined) {
      return this.#runOn(idle, script, command, { generation, now, queuedMs: 0, connectMs: 0 });
    }
    try {
      await this.#pool.slot(signal);
    } catch (error) {
      if (isAborted(signal)) return notStartedResult(command, this.#hello, generation, now());
      throw error;
    }
    const queuedMs = now();
    const lease = await this.#connect(user, signal);
    if (lease === undefined) return notStartedResult(command, this.#hello, generation, now());
    const connectMs = lease.warm ? queuedMs : now();
    return this.#runOn(lease.channel, script, command, { generation, now, queuedMs, connectMs });
  }

  /** Whether a channel has been up: the sandbox has what the warm shell needs. */
  get isUp(): boolean {
    return this.#hello !== undefined;
  }

  /** Facts of the sandbox; opens the first channel when there is none yet. */
  async hello(): Promise<Hello> {
    if (this.#hello !== undefined) return this.#hello;
    this.#opening ??= this.#firstHello().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async exportState(shellId: string): Promise<ShellStateSnapshot> {
    return (await this.#statesOf(shellId)).snapshot();
  }

  importState(snapshot: ShellStateSnapshot, shellId: string): void {
    this.#states.delete(shellId);
    this.#imported.set(shellId, snapshot);
  }

  /** Ends running commands and all idle channels. What finished commands left running stays, and is listed. */
  async close(): Promise<CleanupReport> {
    await Promise.all(this.#running.map((running) => running.cancel()));
    await this.#pool.close();
    const left: Survivor[] = [];
    for (const channel of this.#retired) left.push(...(await this.#control.list(channel)));
    await this.#control.close();
    for (const channel of this.#retired) channel.abandon();
    this.#retired.clear();
    return { left };
  }

  async #firstHello(): Promise<Hello> {
    await this.#pool.slot();
    try {
      const { channel } = await this.#pool.connect(undefined);
      this.#pool.giveBack(channel, undefined);
      return channel.hello;
    } catch (error) {
      this.#pool.giveUp(undefined, false);
      throw error;
    }
  }

  async #openChannel(user: string | undefined): Promise<Channel> {
    const channel = await Channel.open(this.#options.spawn, user === undefined ? {} : { user });
    if (user === undefined) this.#hello ??= channel.hello;
    return channel;
  }

  /** A channel for the slot held, or undefined when cancelled first: the channel then goes back when it is there. */
  async #connect(user: string | undefined, signal: AbortSignal | undefined): Promise<Lease | undefined> {
    const connecting = this.#pool.connect(user);
    let onAbort = (): void => {};
    const cancelled = new Promise<undefined>((resolve) => {
      onAbort = () => resolve(undefined);
      signal?.addEventListener("abort", onAbort, { once: true });
    });
    try {
      const lease = await Promise.race([connecting, cancelled]);
      if (lease !== undefined && !isAborted(signal)) return lease;
    } catch (error) {
      this.#pool.giveUp(user, false);
      throw error;
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
    void connecting.then(
      ({ channel }) => this.#pool.giveBack(channel, user),
      () => this.#pool.giveUp(user, false),
    );
    return undefined;
  }

  async #statesOf(shellId: string, user?: string): Promise<ShellStates> {
    const key = user === undefined ? shellId : `${user}\n${shellId}`;
    const found = this.#states.get(key);
    if (found !== undefined) return found;
    const hello = await this.hello();
    const created = this.#states.get(key) ?? new ShellStates(hello.state, this.#imported.get(shellId));
    this.#states.set(key, created);
    return created;
  }

  async #runOn(
    channel: Channel,
    script: string,
    command: EnvironmentExecuteOptions,
    times: { generation: number; now: () => number; queuedMs: number; connectMs: number },
  ): Promise<CommandResult> {
    const { defaults, spillDirectory } = this.#options;
    const known = this.#statesOfChannel(channel, command);
    const states = known instanceof ShellStates ? known : await known;
    const start = states.current;
    const request = commandRequest(channel, states, script, command);
    const running = new RunningCommand(channel, this.#control, command, {
      timeoutMs: command.timeoutMs ?? defaults.timeoutMs,
      killGraceMs: command.killGraceMs ?? defaults.killGraceMs,
      maxOutputBytes: command.maxOutputBytes ?? defaults.maxOutputBytes,
      spillDirectory,
      now: times.now,
    });
    this.#running.push(running);
    let end: CommandEnd | undefined;
    try {
      end = await running.run(request);
    } finally {
      this.#running.splice(this.#running.indexOf(running), 1);
      this.#release(channel, command, end);
    }
    const dump = this.#learn(channel, states, start, command, end);
    const startDirectory = startDirectoryOf(channel, command);
    if (end.kind === "answer" && end.answer.kind === "answered" && end.answer.frame.kind === "w") {
      throw workdirError(command, startDirectory, end.answer.frame.payload.toString("latin1"));
    }
    const outcome = outcomeOf(end, command.timeoutMs ?? defaults.timeoutMs);
    const leftover =
      end.kind === "answer" && end.answer.kind === "answered" && end.answer.frame.leftover !== 0;
    const background = leftover ? await this.#control.list(channel) : [];
    const output = await running.output.finish();
    const { now, generation, queuedMs, connectMs } = times;
    const exitMs = end.kind === "answer" ? end.answer.exitAt : end.exitAt;
    // Without PWD and in a deleted directory bash does not know where it is either.
    const observed = dump?.cwd.startsWith("/") === true ? dump.cwd : undefined;
    const cwd = fromShellBytes(observed ?? startDirectory);
    const notes = startNotes(startDirectory, dump?.adjustedStart);
    return {
      outcome,
      exitCode: exitCodeOf(outcome),
      ...output,
      cwd: asSandboxPath(cwd),
      cwdObserved: observed !== undefined,
      generation,
      ...(background.length > 0 ? { background } : {}),
      notes,
      timing: { queuedMs, connectMs, firstByteMs: running.firstByteAt, exitMs, drainedMs: now() },
    };
  }

  #statesOfChannel(channel: Channel, command: EnvironmentExecuteOptions): Promise<ShellStates> | ShellStates {
    const shellId = command.shellId ?? "default";
    if (command.user === undefined) return this.#states.get(shellId) ?? this.#statesOf(shellId);
    const key = `${command.user}\n${shellId}`;
    const found = this.#states.get(key) ?? new ShellStates(channel.hello.state);
    this.#states.set(key, found);
    return found;
  }

  /** Takes the state out of an answer. Undefined when the command ended in a way that hides it. */
  #learn(
    channel: Channel,
    states: ShellStates,
    start: CarriedState,
    command: EnvironmentExecuteOptions,
    end: CommandEnd,
  ): StateDump | undefined {
    if (end.kind !== "answer" || end.answer.kind !== "answered") return undefined;
    const state = channel.stateOf(end.answer.frame, start);
    if (state === undefined) return undefined;
    const callEnv = Object.entries(command.env ?? {}).map(
      ([name, value]) => [name, toShellBytes(value)] as const,
    );
    states.merge(start, state.carried, state.dump.oldCwd, Object.fromEntries(callEnv));
    return state.dump;
  }

  /** Gives the channel back when it can run another command, and sees to its replacement when it cannot. */
  #release(channel: Channel, command: EnvironmentExecuteOptions, end: CommandEnd | undefined): void {
    const answer = end?.kind === "answer" ? end.answer : undefined;
    const leftover = answer?.kind === "answered" && answer.frame.leftover !== 0;
    if (answer?.kind === "answered" && !leftover && command.stdin === undefined && channel.alive) {
      this.#pool.giveBack(channel, command.user);
      return;
    }
    this.#pool.giveUp(command.user, true);
    if (leftover) {
      this.#retired.add(channel);
      void channel.closed().then(() => this.#retired.delete(channel));
    } else if (answer?.kind === "died") {
      // Its bash is dead, but what it started may live on without anyone to answer for it.
      void endChannel(channel, this.#control, 0).then(() => channel.abandon());
    } else if (answer === undefined) {
      channel.abandon();
    }
  }
}

/** A function, because the flag changes while one waits, which the type of a property does not say. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

import { ClosedError } from "../errors/errors.js";
import type { Channel } from "./channel.js";

/** Opens one channel as the given account. */
export type OpenChannel = (user: string | undefined) => Promise<Channel>;

/** A channel handed out for one command. */
export interface Lease {
  readonly channel: Channel;
  /** Whether it was already up. */
  readonly warm: boolean;
}

interface Waiting {
  readonly take: () => void;
}

/** Idle channels beyond this number are closed after a while. */
const keptIdle = 2;
const idleMs = 30_000;

/** Hands out channels: an idle one, a new one below the limit, else the next that is given back, in order of asking. */
export class ChannelPool {
  readonly #open: OpenChannel;
  readonly #limit: number;
  #idle: { channel: Channel; user: string | undefined }[] = [];
  #waiting: Waiting[] = [];
  #used = 0;
  #closed = false;
  #trim: NodeJS.Timeout | undefined;

  constructor(open: OpenChannel, limit: number) {
    this.#open = open;
    this.#limit = limit;
  }

  /** An idle channel with its slot, when there is one right now: the way of almost every command. */
  takeIdle(user: string | undefined): Channel | undefined {
    if (this.#closed || this.#used >= this.#limit) return undefined;
    const channel = this.#popIdle(user);
    if (channel !== undefined) this.#used += 1;
    return channel;
  }

  /** Waits for a slot. The caller then calls `connect`, and at the end `giveBack` or `giveUp`. */
  async slot(signal?: AbortSignal): Promise<void> {
    this.#refuseClosed();
    if (this.#used < this.#limit) {
      this.#used += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const entry: Waiting = {
        take: () => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        },
      };
      const onAbort = (): void => {
        this.#waiting = this.#waiting.filter((other) => other !== entry);
        reject(signal?.reason instanceof Error ? signal.reason : new Error("aborted"));
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiting.push(entry);
    });
    this.#refuseClosed();
  }

  /** The channel for a slot: an idle one of that account, or a new one. */
  async connect(user: string | undefined): Promise<Lease> {
    const idle = this.#popIdle(user);
    return idle === undefined
      ? { channel: await this.#open(user), warm: false }
      : { channel: idle, warm: true };
  }

  /** Frees a slot and keeps the channel for the next command. */
  giveBack(channel: Channel, user: string | undefined): void {
    if (this.#closed) channel.endInput();
    else this.#idle.push({ channel, user });
    this.#scheduleTrim();
    this.#freeSlot();
  }

  /** Frees a slot whose channel is used up. `replace` opens another ahead of need when none is idle. */
  giveUp(user: string | undefined, replace: boolean): void {
    this.#freeSlot();
    if (!replace || this.#closed || this.#idle.length > 0 || this.#used >= this.#limit) return;
    void this.#open(user).then(
      (channel) => this.#addSpare(channel, user),
      () => {},
    );
  }

  /** Ends all idle channels and refuses further ones. Resolves when they have ended. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#trim);
    const idle = this.#idle;
    this.#idle = [];
    for (const { take } of this.#waiting.splice(0)) take();
    await Promise.all(
      idle.map(async ({ channel }) => {
        channel.endInput();
        await channel.ended;
      }),
    );
  }

  #popIdle(user: string | undefined): Channel | undefined {
    for (let at = this.#idle.length - 1; at >= 0; at--) {
      const entry = this.#idle[at];
      if (entry === undefined || entry.user !== user) continue;
      this.#idle.splice(at, 1);
      if (entry.channel.alive) return entry.channel;
    }
    return undefined;
  }

  #addSpare(channel: Channel, user: string | undefined): void {
    if (this.#closed) channel.endInput();
    else this.#idle.unshift({ channel, user });
  }

  #freeSlot(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#used -= 1;
    else next.take();
  }

  #refuseClosed(): void {
    if (this.#closed) throw new ClosedError("The environment is closed.", { operation: "execute" });
  }

  #scheduleTrim(): void {
    if (this.#idle.length <= keptIdle || this.#trim !== undefined) return;
    this.#trim = setTimeout(() => {
      this.#trim = undefined;
      for (const { channel } of this.#idle.splice(0, this.#idle.length - keptIdle)) channel.endInput();
    }, idleMs);
    this.#trim.unref();
  }
}

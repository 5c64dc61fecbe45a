import { describe, expect, it } from "vitest";
import { ClosedError } from "../../src/errors/errors.js";
import type { Channel } from "../../src/shell/channel.js";
import { ChannelPool } from "../../src/shell/channel-pool.js";

interface FakeChannel {
  readonly name: string;
  readonly user: string | undefined;
  alive: boolean;
  inputEnded: boolean;
}

/** A pool whose channels are names; nothing is started. */
function pool(limit: number): {
  pool: ChannelPool;
  opened: FakeChannel[];
  fake: (channel: Channel) => FakeChannel;
} {
  const opened: FakeChannel[] = [];
  const open = async (user: string | undefined): Promise<Channel> => {
    const fake: FakeChannel & { ended: Promise<void>; endInput: () => void } = {
      name: `channel ${opened.length + 1}`,
      user,
      alive: true,
      inputEnded: false,
      ended: Promise.resolve(),
      endInput: () => (fake.inputEnded = true),
    };
    opened.push(fake);
    return fake as unknown as Channel;
  };
  return { pool: new ChannelPool(open, limit), opened, fake: (channel) => channel as unknown as FakeChannel };
}

/** Lets everything that is ready run. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("ChannelPool", () => {
  it("uses an idle channel of the same account again and opens another for another", async () => {
    const { pool: channels, opened } = pool(4);
    await channels.slot();
    const first = await channels.connect(undefined);
    expect(first.warm).toBe(false);
    channels.giveBack(first.channel, undefined);
    await channels.slot();
    expect((await channels.connect("ann")).warm).toBe(false);
    await channels.slot();
    expect(await channels.connect(undefined)).toEqual({ channel: first.channel, warm: true });
    expect(opened.map(({ user }) => user)).toEqual([undefined, "ann"]);
  });

  it("does not hand out an idle channel that has died", async () => {
    const { pool: channels, opened, fake } = pool(1);
    await channels.slot();
    const { channel } = await channels.connect(undefined);
    fake(channel).alive = false;
    channels.giveBack(channel, undefined);
    await channels.slot();
    expect((await channels.connect(undefined)).warm).toBe(false);
    expect(opened).toHaveLength(2);
  });

  it("lets those above the limit wait and serves them in the order of asking", async () => {
    const { pool: channels, opened } = pool(2);
    const order: number[] = [];
    const calls = [1, 2, 3, 4, 5].map((number) => channels.slot().then(() => order.push(number)));
    await settle();
    expect(order).toEqual([1, 2]);
    const leases = [await channels.connect(undefined), await channels.connect(undefined)];
    for (const { channel } of leases) channels.giveBack(channel, undefined);
    await settle();
    expect(order).toEqual([1, 2, 3, 4]);
    channels.giveUp(undefined, false);
    await Promise.all(calls);
    expect(order).toEqual([1, 2, 3, 4, 5]);
    expect(opened).toHaveLength(2);
  });

  it("takes a waiting call that is cancelled out of the line and keeps its place for the next", async () => {
    const { pool: channels } = pool(1);
    await channels.slot();
    const controller = new AbortController();
    const cancelled = channels.slot(controller.signal);
    const next = channels.slot();
    const reason = new Error("no longer wanted");
    controller.abort(reason);
    await expect(cancelled).rejects.toBe(reason);
    channels.giveUp(undefined, false);
    await expect(next).resolves.toBeUndefined();
  });

  it("gives a slot that came free to nobody who was cancelled just before", async () => {
    const { pool: channels } = pool(1);
    await channels.slot();
    const controller = new AbortController();
    const cancelled = channels.slot(controller.signal);
    controller.abort();
    channels.giveUp(undefined, false);
    await expect(cancelled).rejects.toMatchObject({ name: "AbortError" });
    await expect(channels.slot()).resolves.toBeUndefined();
  });

  it("opens a spare for a channel that is used up, but not above the limit or beside an idle one", async () => {
    const { pool: channels, opened } = pool(2);
    await channels.slot();
    await channels.connect(undefined);
    channels.giveUp(undefined, true);
    await settle();
    expect(opened).toHaveLength(2);
    await channels.slot();
    expect((await channels.connect(undefined)).warm).toBe(true);
    await channels.slot();
    await channels.connect(undefined);
    expect(opened).toHaveLength(3);
    channels.giveUp(undefined, true);
    await settle();
    expect(opened).toHaveLength(4);
    channels.giveUp(undefined, true);
    await settle();
    expect(opened).toHaveLength(4);
  });

  it("refuses after close, ends the idle channels and those given back later", async () => {
    const { pool: channels, fake } = pool(2);
    await channels.slot();
    const idle = await channels.connect(undefined);
    await channels.slot();
    const running = await channels.connect(undefined);
    channels.giveBack(idle.channel, undefined);
    await channels.slot();
    const waiting = channels.slot();
    const refused = waiting.catch((error: unknown) => error);
    await channels.close();
    expect(await refused).toBeInstanceOf(ClosedError);
    await expect(channels.slot()).rejects.toBeInstanceOf(ClosedError);
    expect(fake(idle.channel).inputEnded).toBe(true);
    expect(fake(running.channel).inputEnded).toBe(false);
    channels.giveBack(running.channel, undefined);
    expect(fake(running.channel).inputEnded).toBe(true);
  });
});

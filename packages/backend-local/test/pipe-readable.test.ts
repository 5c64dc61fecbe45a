import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { closeSync, constants, existsSync, openSync, writeSync } from "node:fs";
import { once } from "node:events";
import { afterAll, describe, expect, it } from "vitest";
import { makeReadBuffer, PipeReadable } from "../src/process/pipe-readable.js";
import { openEnds, PipeSource } from "../src/process/pipe-source.js";
import { widenWhenBusy } from "../src/process/widen-pipe.js";

const env = { PATH: process.env["PATH"] ?? "" };

// Real pipes are made through /proc, which only Linux has.
describe.skipIf(process.platform !== "linux")("a pipe's reading end", () => {
  const source = new PipeSource("bash", env);
  afterAll(() => source.close());

  /** A pipe: a blocking descriptor to write to and one to read from. */
  async function makePipe(): Promise<{ writing: number; reading: number }> {
    const [pipe = -1] = (await source.acquire(1)) ?? [];
    const { child, host } = openEnds(pipe, false);
    closeSync(pipe);
    closeSync(child);
    return {
      writing: openSync(`/proc/self/fd/${host}`, constants.O_WRONLY | constants.O_NONBLOCK),
      reading: host,
    };
  }

  it("gives every byte once and then its end, however many readers share the buffer", async () => {
    const buffer = makeReadBuffer();
    const written = [randomBytes(50_000), randomBytes(3), randomBytes(60_000)];
    const sums = await Promise.all(
      written.map(async (bytes) => {
        const { writing, reading } = await makePipe();
        const stream = new PipeReadable(reading, buffer);
        const hash = createHash("sha256");
        stream.on("data", (piece: Buffer) => hash.update(piece));
        writeSync(writing, bytes);
        closeSync(writing);
        await once(stream, "end");
        return hash.digest("hex");
      }),
    );
    expect(sums).toEqual(written.map((bytes) => createHash("sha256").update(bytes).digest("hex")));
  });

  it("keeps what it has given when the next piece arrives", async () => {
    const { writing, reading } = await makePipe();
    const stream = new PipeReadable(reading, makeReadBuffer());
    writeSync(writing, "first");
    const [first] = (await once(stream, "data")) as [Buffer];
    writeSync(writing, "other");
    const [second] = (await once(stream, "data")) as [Buffer];
    closeSync(writing);
    expect([first.toString(), second.toString()]).toEqual(["first", "other"]);
  });

  it("closes its descriptor when it is destroyed", async () => {
    const { writing, reading } = await makePipe();
    const stream = new PipeReadable(reading, makeReadBuffer());
    stream.destroy();
    await once(stream, "close");
    expect(() => writeSync(writing, "x")).toThrow("EPIPE");
    closeSync(writing);
  });

  // Without either program a pipe keeps its size, which is only slower.
  const canWiden = ["/usr/bin/perl", "/usr/bin/python3"].some((path) => existsSync(path));
  it.skipIf(!canWiden)("gets room for a mebibyte once a mebibyte has come through it", async () => {
    const { writing, reading } = await makePipe();
    const size = (): string =>
      spawnSync("perl", ["-e", "print fcntl(STDIN, 1032, 0)"], {
        stdio: [writing, "pipe", "ignore"],
      }).stdout.toString();
    const before = size();
    const stream = new PipeReadable(reading, makeReadBuffer());
    widenWhenBusy(stream, reading, env);
    const piece = Buffer.alloc(16_384);
    stream.on("data", () => {});
    for (let sent = 0; sent < 1.5 * 1024 * 1024; sent += piece.length) {
      writeSync(writing, piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const deadline = Date.now() + 10_000;
    while (size() === before && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect([before, size()]).toEqual(["65536", "1048576"]);
    stream.destroy();
    closeSync(writing);
  });
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { OutputChunk } from "../../src/environment/execute-options.js";
import { readSpill } from "../../src/environment/spill-file.js";
import { CommandOutput, type CommandOutputOptions } from "../../src/shell/command-output.js";

let directory = "";
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "talaria-output-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
});

const commandOutput = (options: Partial<CommandOutputOptions> = {}): CommandOutput =>
  new CommandOutput({
    maxOutputBytes: 10,
    separate: false,
    spillDirectory: join(directory, "out"),
    onOutput: undefined,
    onFailure: (error) => expect.unreachable(String(error)),
    ...options,
  });

describe("CommandOutput", () => {
  it("spills the whole of an output that outgrows it, even when its end comes at once", async () => {
    const output = commandOutput();
    void output.take("stdout", Buffer.from("12345"));
    void output.take("stdout", Buffer.from("67890"));
    void output.take("stdout", Buffer.from("abcdef"));
    const { truncated, outputBytes } = await output.finish();
    expect(Buffer.from(outputBytes).toString()).toBe("1234abcdef");
    expect(truncated).toMatchObject({
      totalBytes: 16,
      droppedBytes: 6,
      spill: { bytes: 16, complete: true },
    });
    const kept = truncated?.spill === undefined ? "" : await readSpill(truncated.spill, 0, 100);
    expect(kept.toString()).toBe("1234567890abcdef");
  });

  it("spills both streams in order of arrival, whatever the caller waits for", async () => {
    const pieces = fc.array(
      fc.tuple(
        fc.constantFrom("stdout" as const, "stderr" as const),
        fc.string({ minLength: 1, maxLength: 8 }),
        fc.boolean(),
      ),
      { maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(pieces, async (list) => {
        const output = commandOutput({ separate: true });
        for (const [stream, text, isAwaited] of list) {
          const taken = output.take(stream, Buffer.from(text));
          if (isAwaited) await taken;
        }
        const whole = list.map(([, text]) => text).join("");
        const fields = await output.finish();
        const of = (wanted: string): number =>
          Buffer.byteLength(list.flatMap(([stream, text]) => (stream === wanted ? [text] : [])).join(""));
        const total = Buffer.byteLength(whole);
        expect(fields.truncated?.totalBytes ?? total).toBe(total);
        expect(fields.stdoutBytes?.length).toBeLessThanOrEqual(of("stdout"));
        const { spill } = fields.truncated ?? {};
        expect(spill !== undefined).toBe(total > 10);
        const kept = spill === undefined ? whole : (await readSpill(spill, 0, 1_000)).toString();
        expect(kept).toBe(whole);
      }),
      { numRuns: 100 },
    );
  });

  it("passes every piece on, and asks to wait while the callback does", async () => {
    const seen: OutputChunk[] = [];
    let release = (): void => {};
    const output = commandOutput({
      separate: true,
      onOutput: (chunk) => {
        seen.push(chunk);
        return new Promise<void>((resolve) => (release = resolve));
      },
    });
    let isDone = false;
    const taken = output.take("stderr", Buffer.from("e"))?.then(() => (isDone = true));
    await new Promise(setImmediate);
    expect(isDone).toBe(false);
    release();
    await taken;
    expect(seen.map(({ stream, bytes }) => [stream, Buffer.from(bytes).toString()])).toEqual([
      ["stderr", "e"],
    ]);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
    [
      "rejects",
      async () => {
        throw new Error("no");
      },
    ],
  ])("reports a callback that %s once and calls it no more", async (_, callback) => {
    const failures: unknown[] = [];
    let calls = 0;
    const output = commandOutput({
      onOutput: () => {
        calls += 1;
        return callback();
      },
      onFailure: (error) => failures.push(error),
    });
    await output.take("stdout", Buffer.from("a"));
    await output.take("stdout", Buffer.from("b"));
    expect(calls).toBe(1);
    expect(failures).toHaveLength(1);
    expect((await output.finish()).output).toBe("ab");
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OutputCapture } from "../../src/environment/output-capture.js";

/** What must be kept of a whole stream, written as plainly as possible. */
function naiveCapture(all: Buffer, maxBytes: number): { kept: Buffer; droppedBytes: number } {
  if (all.length <= maxBytes) return { kept: all, droppedBytes: 0 };
  const headBytes = Math.floor(maxBytes * 0.4);
  const head = all.subarray(0, headBytes);
  const tail = all.subarray(all.length - (maxBytes - headBytes));
  return { kept: Buffer.concat([head, tail]), droppedBytes: all.length - maxBytes };
}

const capture = (pieces: readonly Buffer[], maxBytes: number) => {
  const output = new OutputCapture(maxBytes);
  for (const piece of pieces) output.push(piece);
  return output.finish();
};

const ascii = fc
  .string({ unit: fc.constantFrom("a", "b", "\n", "0"), maxLength: 60 })
  .map((text) => Buffer.from(text));
const anyBytes = fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array));
const text = fc.string({ unit: "grapheme", maxLength: 30 }).map((value) => Buffer.from(value));

describe("OutputCapture", () => {
  it("keeps exactly 40 % head and 60 % tail of single-byte text and counts the rest", () => {
    fc.assert(
      fc.property(fc.array(ascii, { maxLength: 20 }), fc.nat(200), (pieces, maxBytes) => {
        const { kept, droppedBytes } = naiveCapture(Buffer.concat(pieces), maxBytes);
        const captured = capture(pieces, maxBytes);
        expect(captured.bytes.equals(kept)).toBe(true);
        expect(captured.droppedBytes).toBe(droppedBytes);
        expect(captured.totalBytes).toBe(Buffer.concat(pieces).length);
      }),
      { numRuns: 500 },
    );
  });

  it("accounts for every byte of anything, and cuts no more than a character on each side", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anyBytes, text), { maxLength: 20 }), fc.nat(150), (pieces, maxBytes) => {
        const all = Buffer.concat(pieces);
        const captured = capture(pieces, maxBytes);
        expect(captured.bytes.length + captured.droppedBytes).toBe(all.length);
        expect(captured.bytes.length).toBeLessThanOrEqual(maxBytes);
        const least = captured.droppedBytes > 0 ? maxBytes - 6 : all.length;
        expect(captured.bytes.length).toBeGreaterThanOrEqual(least);
        // What is kept is a head and a tail of what came.
        const splits = Array.from({ length: captured.bytes.length + 1 }, (_, at) => at);
        const isHeadAndTail = splits.some(
          (at) =>
            all.subarray(0, at).equals(captured.bytes.subarray(0, at)) &&
            all.subarray(all.length - (captured.bytes.length - at)).equals(captured.bytes.subarray(at)),
        );
        expect(isHeadAndTail).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("does not depend on the pieces the stream came in", () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(100), { maxLength: 8 }), fc.nat(60), (all, places, maxBytes) => {
        const sorted = [...new Set([0, ...places, all.length])]
          .filter((at) => at <= all.length)
          .sort((a, b) => a - b);
        const pieces = sorted.slice(1).map((end, index) => all.subarray(sorted[index], end));
        expect(capture(pieces, maxBytes)).toEqual(capture([all], maxBytes));
      }),
      { numRuns: 300 },
    );
  });

  it("never splits a character of valid UTF-8 text", () => {
    fc.assert(
      fc.property(text, fc.nat(60), (all, maxBytes) => {
        const captured = capture([all], maxBytes);
        fc.pre(!all.toString("utf8").includes("\ufffd"));
        expect(captured.text).not.toContain("\ufffd");
      }),
      { numRuns: 500 },
    );
  });

  it("says between head and tail how much is missing", () => {
    const { text: shown } = capture([Buffer.from("0123456789".repeat(3))], 10);
    expect(shown).toBe("0123\n[… 20 bytes left out …]\n456789");
  });

  it("keeps nothing but the count when nothing may be kept", () => {
    expect(capture([Buffer.from("abc")], 0)).toMatchObject({ totalBytes: 3, droppedBytes: 3 });
    expect(capture([], 0)).toEqual({ bytes: Buffer.alloc(0), text: "", totalBytes: 0, droppedBytes: 0 });
  });

  it("does not hold on to a stream that passes through", () => {
    const output = new OutputCapture(1_000);
    const piece = Buffer.alloc(64 * 1024, "x");
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 4_096; count++) output.push(Buffer.from(piece));
    expect(output.finish().totalBytes).toBe(4_096 * piece.length);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(128 * 1024 * 1024);
  });

  it("copies tiny pieces together and still keeps their order", () => {
    const output = new OutputCapture(100);
    for (let count = 0; count < 50_000; count++) output.push(Buffer.from(String(count % 10)));
    const { bytes, droppedBytes } = output.finish();
    expect(bytes.toString()).toBe("0123456789".repeat(10));
    expect(droppedBytes).toBe(49_900);
  });
});

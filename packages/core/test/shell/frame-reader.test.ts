import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FrameReader, type Frame } from "../../src/shell/frame-reader.js";

const nonce = "\u0002abcdefghijklmnop.";

interface Read {
  readonly output: string;
  readonly late: string;
  readonly frame: Frame | undefined;
  readonly rest: string;
}

/** Feeds pieces until the answer is there. */
function read(pieces: readonly Buffer[]): Read {
  const output: Buffer[] = [];
  const late: Buffer[] = [];
  const reader = new FrameReader(
    Buffer.from(nonce, "latin1"),
    (bytes) => output.push(Buffer.from(bytes)),
    (bytes) => late.push(Buffer.from(bytes)),
  );
  let answer: { frame: Frame; rest: Buffer } | undefined;
  const after: Buffer[] = [];
  for (const piece of pieces) {
    if (answer === undefined) answer = reader.feed(piece);
    else after.push(piece);
  }
  if (answer === undefined) reader.flush();
  return {
    output: Buffer.concat(output).toString("latin1"),
    late: Buffer.concat(late).toString("latin1"),
    frame: answer?.frame,
    rest: Buffer.concat(answer === undefined ? [] : [answer.rest, ...after]).toString("latin1"),
  };
}

/** Cuts text at the places given. */
function cut(text: string, places: readonly number[]): Buffer[] {
  const whole = Buffer.from(text, "latin1");
  const sorted = [...new Set(places)]
    .filter((place) => place > 0 && place < whole.length)
    .sort((a, b) => a - b);
  return [0, ...sorted].map((place, index) => whole.subarray(place, sorted[index]));
}

const answer = `out\u0002put${nonce} x 3 1 5\nstatelater`;

describe("FrameReader", () => {
  it("tells output, answer and what follows apart, wherever the stream is split", () => {
    const expected = {
      output: "out\u0002put",
      late: "",
      frame: { kind: "x", status: 3, leftover: 1, payload: Buffer.from("state") },
      rest: "later",
    };
    for (let first = 0; first <= answer.length; first++) {
      for (let second = first; second <= answer.length; second++) {
        expect(read(cut(answer, [first, second])), `split at ${first} and ${second}`).toEqual(expected);
      }
    }
  });

  it("takes a byte at a time", () => {
    const every = Array.from(answer, (_, index) => index);
    expect(read(cut(answer, every))).toMatchObject({ output: "out\u0002put", frame: { status: 3 } });
  });

  it("passes on at once all that cannot begin the nonce", () => {
    const seen: string[] = [];
    const reader = new FrameReader(
      Buffer.from(nonce, "latin1"),
      (bytes) => seen.push(bytes.toString("latin1")),
      () => {},
    );
    reader.feed(Buffer.from("a line\n"));
    expect(seen.join("")).toBe("a line\n");
    reader.feed(Buffer.from(`more ${nonce.slice(0, 9)}`, "latin1"));
    expect(seen.join("")).toBe("a line\nmore ");
    reader.feed(Buffer.from("!"));
    expect(seen.join("")).toBe(`a line\nmore ${nonce.slice(0, 9)}!`);
  });

  it("gives back what it held when no more comes", () => {
    expect(read([Buffer.from(`x${nonce.slice(0, 5)}`, "latin1")]).output).toBe(`x${nonce.slice(0, 5)}`);
    expect(read([Buffer.from(nonce, "latin1")]).output).toBe(nonce);
  });

  it("joins the payloads of many frames and calls what comes between them late", () => {
    const text = `${nonce} m 0 0 3\nabcnoise${nonce} m 0 0 2\nde${nonce} u 0 0 0\n`;
    for (let place = 0; place <= text.length; place++) {
      const result = read(cut(text, [place]));
      expect(result).toMatchObject({ output: "", late: "noise", frame: { kind: "u", status: 0 } });
      expect(result.frame?.payload.toString()).toBe("abcde");
    }
  });

  it("lets a payload hold the nonce and line ends", () => {
    const payload = `a\n${nonce} x 9 9 9\n`;
    const text = `${nonce} x 0 0 ${payload.length}\n${payload}`;
    expect(read([Buffer.from(text, "latin1")]).frame?.payload.toString("latin1")).toBe(payload);
  });

  it("finds the answer behind any output, in any pieces", () => {
    const almost = fc.constantFrom(
      nonce.slice(0, -1),
      nonce.slice(1),
      `\u0002${nonce.slice(0, 7)}`,
      "\u0002\u0002",
      `${nonce.slice(0, -1)}, x 0 0 12\n`,
      "\n",
    );
    const bytes = fc.uint8Array({ maxLength: 30 }).map((array) => Buffer.from(array).toString("latin1"));
    const output = fc
      .array(fc.oneof(almost, bytes), { maxLength: 8 })
      .map((parts) => parts.join(""))
      .filter((text) => !text.includes(nonce) && !`${text}${nonce}`.slice(0, -1).includes(nonce));
    fc.assert(
      fc.property(output, bytes, fc.array(fc.nat(200), { maxLength: 12 }), (before, after, places) => {
        const result = read(cut(`${before}${nonce} x 7 0 2\nok${after}`, places));
        expect(result.output).toBe(before);
        expect(result.rest).toBe(after);
        expect(result.frame).toMatchObject({ kind: "x", status: 7, leftover: 0 });
      }),
      { numRuns: 1_000 },
    );
  });
});

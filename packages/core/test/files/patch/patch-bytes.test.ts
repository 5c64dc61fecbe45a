import fc from "fast-check";
import { expect, test } from "vitest";
import { FileError } from "../../../src/errors/errors.js";
import { patchBytes } from "../../../src/files/patch/patch-bytes.js";
import { patchText } from "../../../src/files/patch/patch-text.js";

function patched(bytes: Uint8Array, find: string, replace: string): Buffer {
  const context = { path: "f", redact: (text: string): string => text };
  return Buffer.from(patchBytes("f", bytes, (text) => patchText(text, [{ find, replace }], context)).bytes);
}

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

test("a file in Latin-1 is patched in Latin-1, as it is read", () => {
  expect(patched(latin1("caf\xe9\nth\xe9\n"), "café", "café crème")).toEqual(
    latin1("caf\xe9 cr\xe8me\nth\xe9\n"),
  );
});

test("what Latin-1 cannot hold is refused, and the encoding named", () => {
  expect(() => patched(latin1("caf\xe9\n"), "café", "café 5 €")).toThrow(
    /text in latin-1, which has no form/,
  );
});

test("UTF-8 with wrong bytes in it keeps them", () => {
  const before = Buffer.concat([Buffer.from("grün\n"), Buffer.of(0xff, 0xc3, 0x0a), Buffer.from("ende €\n")]);
  const after = Buffer.concat([
    Buffer.from("blau ü\n"),
    Buffer.of(0xff, 0xc3, 0x0a),
    Buffer.from("ende €\n"),
  ]);
  expect(patched(before, "grün", "blau ü")).toEqual(after);
});

test.each(["utf-16le", "utf-16be"] as const)("a file in %s keeps its encoding and its mark", (encoding) => {
  const encode = (text: string): Buffer => {
    const bytes = Buffer.from(text, "utf16le");
    return encoding === "utf-16be" ? bytes.swap16() : bytes;
  };
  expect(patched(encode("\uFEFFone\r\ntwo 😀\r\n"), "one", "1\n€")).toEqual(
    encode("\uFEFF1\r\n€\r\ntwo 😀\r\n"),
  );
});

test("bytes that are no text are refused", () => {
  expect(() => patched(Buffer.of(1, 2, 0, 3, 0xff), "a", "b")).toThrow(/is no text/);
});

test("half of a surrogate pair is no text to write", () => {
  expect(() => patched(Buffer.from("a\n"), "a", "\ud83d")).toThrow(FileError);
});

test("whatever the bytes, those around the text that is replaced stay", () => {
  // No control characters and no marks of UTF-16: those would make it no text, or another one.
  const noise = fc.uint8Array({ maxLength: 30, min: 32, max: 0xfd });
  fc.assert(
    fc.property(noise, noise, (before, after) => {
      const whole = Buffer.concat([before, Buffer.from("<FIND ME>"), after]);
      const made = Buffer.concat([before, Buffer.from("<made it>"), after]);
      expect(patched(whole, "<FIND ME>", "<made it>")).toEqual(made);
    }),
    { numRuns: 1000 },
  );
});

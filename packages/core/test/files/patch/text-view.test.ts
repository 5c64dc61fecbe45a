import fc from "fast-check";
import { expect, test } from "vitest";
import { TextView } from "../../../src/files/patch/text-view.js";

const anyText = fc.string({ unit: fc.constantFrom("a", "b", "\n", "\r\n", "\r", " "), maxLength: 40 });

test("a view that nothing is changed in gives the text back, whatever ends its lines", () => {
  fc.assert(
    fc.property(fc.constantFrom("", "\uFEFF"), anyText, (mark, text) => {
      expect(new TextView(mark + text).apply([])).toBe(mark + text);
    }),
    { numRuns: 1000 },
  );
});

test("what stands outside of an edit stays as it was", () => {
  fc.assert(
    fc.property(anyText, fc.nat(), fc.nat(), (text, one, other) => {
      const view = new TextView(text);
      const [start = 0, end = 0] = [one % (view.text.length + 1), other % (view.text.length + 1)].toSorted(
        (a, b) => a - b,
      );
      const changed = view.apply([{ start, end, text: "X" }]);
      const [before = "", after = ""] = changed.split("X");
      expect(text.startsWith(before)).toBe(true);
      expect(text.endsWith(after)).toBe(true);
      const plain = `${view.text.slice(0, start)}X${view.text.slice(end)}`;
      expect(changed.replaceAll(/\r\n?/g, "\n")).toBe(plain.replaceAll("\r", "\n"));
    }),
    { numRuns: 1000 },
  );
});

test("new lines end as their neighbours do", () => {
  const view = new TextView("one\r\ntwo\r\nthree\n");
  expect(view.apply([{ start: 4, end: 7, text: "2\n2b" }])).toBe("one\r\n2\r\n2b\r\nthree\n");
  expect(view.apply([{ start: 8, end: 13, text: "3\n3b" }])).toBe("one\r\ntwo\r\n3\n3b\n");
});

test("a text whose lines end with nothing but a carriage return keeps that", () => {
  const view = new TextView("one\rtwo\r");
  expect(view.lines).toEqual(["one", "two"]);
  expect(view.apply([view.lineEdit(1, 1, ["new"])])).toBe("one\rnew\rtwo\r");
});

test.each([
  ["removes", [2, 3, []], "a\nb"],
  ["replaces", [2, 3, ["x", "y"]], "a\nb\nx\ny"],
  ["adds", [3, 3, ["x"]], "a\nb\nc\nx"],
] as const)(
  "an edit that %s the last line of a text without a last line end leaves it without one",
  (_, edit, made) => {
    const view = new TextView("a\nb\nc");
    const [from, to, lines] = edit;
    expect(view.apply([view.lineEdit(from, to, lines)])).toBe(made);
  },
);

test("a line put into an empty text gets an end", () => {
  const view = new TextView("");
  expect(view.apply([view.lineEdit(0, 0, ["x"])])).toBe("x\n");
});

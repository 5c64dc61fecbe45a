import fc from "fast-check";
import { expect, test } from "vitest";
import { lineDifference, type LineChange } from "../../../src/files/patch/line-difference.js";

const someLines = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 30 });

function applied(one: readonly string[], other: readonly string[], changes: readonly LineChange[]): string[] {
  const made: string[] = [];
  let at = 0;
  for (const { from, to, otherFrom, otherTo } of changes) {
    made.push(...one.slice(at, from));
    expect(made.length).toBe(otherFrom);
    made.push(...other.slice(otherFrom, otherTo));
    at = to;
  }
  return [...made, ...one.slice(at)];
}

test("the changes between two texts make the second out of the first", () => {
  fc.assert(
    fc.property(someLines, someLines, (one, other) => {
      expect(applied(one, other, lineDifference(one, other))).toEqual(other);
    }),
    { numRuns: 500 },
  );
});

test("lines that both have stay: one line changed in the middle is one change of one line", () => {
  const one = ["a", "b", "c", "d"];
  const changes = lineDifference(one, ["a", "b", "x", "d"]);
  expect(changes).toEqual([{ from: 2, to: 3, otherFrom: 2, otherTo: 3 }]);
});

test("texts that have nothing in common are one change, however long they are", () => {
  const one = Array.from({ length: 50_000 }, (_, at) => `one ${at}`);
  const other = Array.from({ length: 50_000 }, (_, at) => `other ${at}`);
  expect(lineDifference(one, other)).toEqual([{ from: 0, to: 50_000, otherFrom: 0, otherTo: 50_000 }]);
});

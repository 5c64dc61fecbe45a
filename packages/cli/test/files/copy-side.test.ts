import { describe, expect, it } from "vitest";
import { readCopySide, showCopySide, type CopySide } from "../../src/files/copy-side.js";

describe("a side of a copy", () => {
  const cases: readonly (readonly [word: string, side: CopySide])[] = [
    ["-", { kind: "stream" }],
    ["host:/tmp/a", { kind: "host", path: "/tmp/a" }],
    ["a/b.txt", { kind: "host", path: "a/b.txt" }],
    ["./a:b", { kind: "host", path: "./a:b" }],
    ["sandbox:notes", { kind: "sandbox", session: undefined, path: "notes" }],
    ["work:/srv/a:b", { kind: "sandbox", session: "work", path: "/srv/a:b" }],
    ["work:~/x\ny", { kind: "sandbox", session: "work", path: "~/x\ny" }],
  ];

  it.each(cases)("reads %j", (word, side) => {
    expect(readCopySide(word)).toEqual(side);
  });

  it.each(["", ":x", "work:", "host:"])("refuses %j with the forms there are", (word) => {
    expect(() => readCopySide(word)).toThrow(/is no side of a copy/);
  });

  it("is shown with the name of its place", () => {
    expect(cases.map(([word]) => showCopySide(readCopySide(word))).slice(0, 5)).toEqual([
      "-",
      "host:/tmp/a",
      "host:a/b.txt",
      "host:./a:b",
      "sandbox:notes",
    ]);
  });
});

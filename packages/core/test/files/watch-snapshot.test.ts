import { describe, expect, it } from "vitest";
import { compareSnapshots, readSnapshot } from "../../src/files/watch-snapshot.js";

function look(...records: readonly string[]) {
  const snapshot = readSnapshot(records.map((record) => `${record}//`).join(""), "/t", 100);
  if (snapshot === undefined) throw new Error("The listing was not read.");
  return snapshot;
}

describe("looks at a watched tree", () => {
  it("tells a renamed directory once, without what is in it", () => {
    const before = look("d|1|4 1|1|/t", "d|2|4 1|1|/t/a", "f|3|5 1|1|/t/a/x");
    const after = look("d|1|4 2|2|/t", "d|2|4 1|2|/t/b", "f|3|5 1|1|/t/b/x");
    expect(compareSnapshots(before, after)).toEqual([{ kind: "renamed", path: "b", from: "a" }]);
  });

  it("takes no new file for a renamed one because it was given the old one's inode", () => {
    const before = look("f|3|5 1|1|/t/a");
    const after = look("f|3|9 2|2|/t/b");
    expect(compareSnapshots(before, after)).toEqual([
      { kind: "removed", path: "a" },
      { kind: "created", path: "b" },
    ]);
  });

  it("tells a change of content or mode of a file, and none of a directory", () => {
    const before = look("d|1|4 1|1|/t/d", "f|3|5 1|1|/t/a|b\n", "f|4|5 1|1|/t/c");
    const after = look("d|1|4 2|2|/t/d", "f|3|6 2|2|/t/a|b\n", "f|4|5 1|2|/t/c");
    expect(compareSnapshots(before, after)).toEqual([
      { kind: "changed", path: "a|b\n" },
      { kind: "changed", path: "c" },
    ]);
  });

  it("refuses a listing that was cut or has too many entries", () => {
    expect(readSnapshot("f|3|5 1|1|/t/a//f|4|5", "/t", 10)).toBeUndefined();
    expect(readSnapshot("f|3|5 1|1|/t/a//f|4|5 1|1|/t/b//", "/t", 1)).toBeUndefined();
  });
});

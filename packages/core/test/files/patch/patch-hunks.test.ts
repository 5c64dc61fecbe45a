import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FileError } from "../../../src/errors/errors.js";
import { parsePatch } from "../../../src/files/patch/parse-patch.js";
import { patchHunks } from "../../../src/files/patch/patch-hunks.js";
import { unifiedDiff } from "../../../src/files/patch/unified-diff.js";

const context = { path: "f", redact: (text: string): string => text };

/** Applies the hunks of one update to a text. */
function applied(text: string, patch: string) {
  const [section] = parsePatch(patch);
  if (section?.operation !== "update") throw new Error("no update");
  return patchHunks(text, section.hunks, context);
}

function v4a(...lines: readonly string[]): string {
  return ["*** Begin Patch", "*** Update File: f", ...lines, "*** End Patch", ""].join("\n");
}

function refusal(text: string, patch: string): FileError {
  try {
    applied(text, patch);
  } catch (error) {
    if (error instanceof FileError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("the form", () => {
  test("has sections that add, update, move and delete", () => {
    const patch = [
      "*** Begin Patch",
      "*** Add File: new.txt",
      "+one",
      "+",
      "*** Update File: a b.txt",
      "*** Move to: c.txt",
      "@@ def f():",
      " x",
      "-y",
      "+z",
      "*** End of File",
      "*** Delete File: old.txt",
      "*** End Patch",
    ].join("\n");
    expect(parsePatch(patch)).toEqual([
      { operation: "add", path: "new.txt", text: "one\n\n" },
      {
        operation: "update",
        path: "a b.txt",
        moveTo: "c.txt",
        hunks: [
          {
            anchors: ["def f():"],
            block: { lines: ["x", "y"], changes: [{ from: 1, to: 2, lines: ["z"] }] },
            isAtEnd: true,
            expectedLine: undefined,
          },
        ],
      },
      { operation: "delete", path: "old.txt" },
    ]);
  });

  test("may stand in a fence, end in CRLF and have blank lines between sections", () => {
    const patch =
      "```diff\n*** Begin Patch\r\n*** Add File: a\r\n+x\r\n\r\n*** Delete File: b\r\n*** End Patch\r\n```\n";
    expect(parsePatch(patch)).toEqual([
      { operation: "add", path: "a", text: "x\n" },
      { operation: "delete", path: "b" },
    ]);
  });

  test.each([
    ["", /begins neither/],
    ["*** Begin Patch\n*** End Patch", /names no file/],
    ["*** Begin Patch\n*** Delete File: a", /line 3 .*may have been cut/],
    ["*** Begin Patch\n*** Add File: a\nx\n*** End Patch", /line 3 .*does not begin with "\+"/],
    ["*** Begin Patch\n*** Update File: a\n@@\n x\n*** End Patch", /adds and removes nothing/],
    ["*** Begin Patch\n*** Update File: a\n@@\n-x\nwhat\n*** End Patch", /line 5 .*begins with none of/],
    ["*** Begin Patch\n*** Update File: a\n*** End Patch", /nothing is said to change in "a"/],
    ["*** Begin Patch\n*** Delete File:\n*** End Patch", /names no path/],
    ["*** Begin Patch\n*** Delete File: a\n*** End Patch\nmore", /something follows/],
    ["--- a/f\n+++ b/f\n@@ -1,2 +1 @@\n-x\n", /fewer lines than its header/],
    ["--- a/f\n+++ b/f\nwhat\n", /a file without a hunk/],
    ["diff --git a/f b/g\nrename from f\n", /neither a hunk nor/],
  ])("is refused when it makes no sense: %j", (patch, message) => {
    expect(() => parsePatch(patch)).toThrow(message);
  });
});

describe("a hunk", () => {
  test("is placed by its context, and only what it removes and adds changes", () => {
    const { text, edits } = applied("a\nb  \nc\nd\n", v4a("@@", " b", "-c", "+C", " d"));
    expect(text).toBe("a\nb  \nC\nd\n");
    expect(edits).toEqual([{ strategy: "trimmed_lines", count: 1, places: [{ firstLine: 2, lastLine: 4 }] }]);
  });

  test("that fits twice is refused", () => {
    const error = refusal("x\nb\nx\nb\n", v4a("@@", "-b", "+c"));
    expect([error.reason, error.hint]).toEqual(["ambiguous", expect.stringContaining('"@@" with a line')]);
  });

  test("with an anchor means the first place after it", () => {
    const text = "class A\n  run\n    stop\nclass B\n  run\n    stop\n";
    expect(applied(text, v4a("@@ class B", "-    stop", "+    go")).text).toBe(
      "class A\n  run\n    stop\nclass B\n  run\n    go\n",
    );
    expect(applied(text, v4a("@@ class A", "-    stop", "+    go")).text).toBe(
      "class A\n  run\n    go\nclass B\n  run\n    stop\n",
    );
  });

  test("with anchors within each other means the inner one in the outer one", () => {
    const text = "class A\n  def f\n    x\nclass B\n  def f\n    x\n";
    expect(applied(text, v4a("@@ class B", "@@ def f", "-    x", "+    y")).text).toBe(
      text.replace(/x\n$/, "y\n"),
    );
  });

  test("with an anchor that stands twice before two places is refused", () => {
    const text = "def f\n  x\ndef f\n  x\n";
    expect(refusal(text, v4a("@@ def f", "-  x", "+  y")).reason).toBe("ambiguous");
  });

  test("with an anchor that is not there names it", () => {
    const error = refusal("a\nb\n", v4a("@@ nowhere to be seen", "-b", "+c"));
    expect(error.message).toContain('the line after "@@" of hunk 1');
  });

  test("comes after the one before it, where both places fit", () => {
    const text = "x = 1\ny = 2\nx = 1\n";
    expect(applied(text, v4a("@@", "-y = 2", "+y = 3", "@@", "-x = 1", "+x = 4")).text).toBe(
      "x = 1\ny = 3\nx = 4\n",
    );
  });

  test("may stand before the one before it, if nothing else fits", () => {
    expect(applied("a\nb\n", v4a("@@", "-b", "+B", "@@", "-a", "+A")).text).toBe("A\nB\n");
  });

  test("at the end of the file means its last lines", () => {
    expect(applied("end\nmiddle\nend\n", v4a("@@", "-end", "+END", "*** End of File")).text).toBe(
      "end\nmiddle\nEND\n",
    );
    expect(applied("a\n", v4a("@@", "+b", "*** End of File")).text).toBe("a\nb\n");
  });

  test("that only adds without saying where is refused", () => {
    expect(refusal("a\n", v4a("@@", "+b")).message).toContain("adds lines without saying where");
  });

  test("that only adds goes below its anchor", () => {
    expect(applied("a\nb\n", v4a("@@ a", "+new")).text).toBe("a\nnew\nb\n");
  });

  test("that was applied before changes nothing and says so", () => {
    const patch = v4a("@@", " function start() {", "+  prepare();", " }");
    const once = applied("function start() {\n}\n", patch).text;
    const again = applied(once, patch);
    expect(again.text).toBe(once);
    expect(again.edits).toEqual([{ strategy: "already_applied", count: 0, places: [] }]);
  });

  test("keeps CRLF and a missing last line end", () => {
    expect(applied("a\r\nb\r\nc", v4a("@@", " b", "-c", "+d", "+e")).text).toBe("a\r\nb\r\nd\r\ne");
  });
});

describe("a unified diff", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "  c", "", "d e"), { maxLength: 25 });
  const text = fc
    .tuple(lines, fc.boolean())
    .map(([all, ends]) => all.join("\n") + (ends && all.length > 0 ? "\n" : ""));

  test("of two texts makes the second out of the first", () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        const diff = unifiedDiff(one, other, { from: "f", to: "f", maxLines: 1000 });
        expect(diff.isCut).toBe(false);
        fc.pre(diff.text !== "");
        expect(applied(one, diff.text).text).toBe(other);
      }),
      { numRuns: 1000 },
    );
  });

  test("takes off the names that git puts before paths, and times", () => {
    const diff =
      "diff --git a/x/f b/x/f\nindex 1..2 100644\n--- a/x/f\t2020-01-01\n+++ b/x/f\n@@ -1 +1 @@\n-a\n+b\n";
    expect(parsePatch(diff)).toMatchObject([{ operation: "update", path: "x/f" }]);
  });

  test("adds and deletes files by the name /dev/null", () => {
    const added = "--- /dev/null\n+++ b/new\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n";
    const deleted = "--- a/old\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n";
    expect(parsePatch(added + deleted)).toEqual([
      { operation: "add", path: "new", text: "a\nb" },
      { operation: "delete", path: "old" },
    ]);
  });

  test("is cut when it is long, and says so", () => {
    const other = "x\n".repeat(100_000);
    const diff = unifiedDiff("", other, { from: "a", to: "b", maxLines: 10 });
    expect([diff.text.split("\n").length, diff.isCut, diff.linesAdded]).toEqual([11, true, 100_000]);
  });
});

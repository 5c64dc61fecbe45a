import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FileError } from "../../../src/errors/errors.js";
import { patchText, type PatchedText } from "../../../src/files/patch/patch-text.js";
import type { TextEdit } from "../../../src/files/patch/patch-result.js";

const context = { path: "file.txt", redact: (text: string): string => text };

function patch(text: string, find: string, replace: string, all = false) {
  const { text: made, edits } = patchText(text, [{ find, replace, all }], context);
  return { made, strategy: edits[0]?.strategy, edit: edits[0] };
}

/** Undefined when it is refused. */
function attempt(text: string, edit: TextEdit): PatchedText | undefined {
  try {
    return patchText(text, [edit], context);
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

function refusal(text: string, ...edits: readonly TextEdit[]): FileError {
  try {
    patchText(text, edits, context);
  } catch (error) {
    if (FileError.isInstance(error) && error instanceof FileError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("an exact text", () => {
  test("is replaced where it stands, and the place is told", () => {
    const { made, edit } = patch("a\nb c d\ne\n", "c", "x\ny");
    expect(made).toBe("a\nb x\ny d\ne\n");
    expect(edit).toEqual({ strategy: "exact", count: 1, places: [{ firstLine: 2, lastLine: 3 }] });
  });

  test("that stands twice is refused, with both lines", () => {
    const error = refusal("one x\ntwo\none x\n", { find: "one x", replace: "y" });
    expect(error.reason).toBe("ambiguous");
    expect(error.message).toMatch(/2 times.*line 1: "one x"; line 3: "one x"/);
  });

  test("that overlaps itself is ambiguous too", () => {
    expect(refusal("xaaax", { find: "aa", replace: "b" }).reason).toBe("ambiguous");
  });

  test("is replaced everywhere when that is asked for", () => {
    const { made, edit } = patch("a\nb\na\na b\n", "a", "x\ny", true);
    expect(made).toBe("x\ny\nb\nx\ny\nx\ny b\n");
    expect(edit?.count).toBe(3);
    expect(edit?.places).toEqual([
      { firstLine: 1, lastLine: 2 },
      { firstLine: 4, lastLine: 5 },
      { firstLine: 6, lastLine: 7 },
    ]);
  });

  test("is preferred: no lenient match makes it ambiguous", () => {
    expect(patch("  foo(1)\nfoo(1)\t\n foo( 1)\n", "  foo(1)\n", "  bar(1)\n").made).toBe(
      "  bar(1)\nfoo(1)\t\n foo( 1)\n",
    );
  });

  test("given with \\r\\n is the same as one with \\n", () => {
    expect(patch("a\nb\n", "a\r\nb", "a\r\nc").made).toBe("a\nc\n");
  });
});

describe("line ends and marks", () => {
  test("of a file with CRLF are kept, for new lines too", () => {
    expect(patch("a\r\nb\r\nc\r\n", "a\nb", "a\nnew\nb2").made).toBe("a\r\nnew\r\nb2\r\nc\r\n");
  });

  test("of a file that mixes them are kept where nothing changes", () => {
    expect(patch("a\r\nb\nc\r\nd\n", "a\nb\nc\nd", "a\nb\nC\nd").made).toBe("a\r\nb\nC\r\nd\n");
  });

  test("a byte order mark stays, and is no part of the first line", () => {
    expect(patch("\uFEFFa\nb\n", "a", "x").made).toBe("\uFEFFx\nb\n");
  });

  test("a missing last line end stays missing", () => {
    expect(patch("a\n  b", "b  ", "c").made).toBe("a\n  c");
  });
});

describe("tolerance", () => {
  test("trimmed_lines: white space at the ends of lines may differ, and stays where the line does", () => {
    const { made, strategy } = patch(
      "if x:  \n    y()\t\n    z()\n",
      "if x:\n    y()\n    z()\n",
      "if x:\n    y()\n    w()\n",
    );
    expect([strategy, made]).toEqual(["trimmed_lines", "if x:  \n    y()\t\n    w()\n"]);
  });

  test("folded_space: white space within a line may differ", () => {
    const { made, strategy } = patch("a\n  x  =   1\nb\n", "  x = 1", "  x = 2");
    expect([strategy, made]).toEqual(["folded_space", "a\n  x = 2\nb\n"]);
  });

  test("flexible_indentation: the replacement gets the indentation of the file", () => {
    const file = "class A:\n    def f(self):\n        return 1\n";
    const { made, strategy } = patch(
      file,
      "def f(self):\n    return 1\n",
      "def f(self):\n    if self.x:\n        return 2\n    return 1\n",
    );
    expect(strategy).toBe("flexible_indentation");
    expect(made).toBe(
      "class A:\n    def f(self):\n        if self.x:\n            return 2\n        return 1\n",
    );
  });

  test("flexible_indentation: spaces become tabs in a file of tabs", () => {
    const file = "func f() {\n\tif a {\n\t\tb()\n\t}\n}\n";
    const { made } = patch(file, "  if a {\n    b()\n  }\n", "  if a {\n    for {\n      c()\n    }\n  }\n");
    expect(made).toBe("func f() {\n\tif a {\n\t\tfor {\n\t\t\tc()\n\t\t}\n\t}\n}\n");
  });

  test("flexible_indentation: steps of two become steps of four", () => {
    const file = "x {\n    y {\n        z;\n    }\n}\n";
    const { made } = patch(
      file,
      "x {\n  y {\n    z;\n  }\n}\n",
      "x {\n  y {\n    z;\n    w {\n      v;\n    }\n  }\n}\n",
    );
    expect(made).toBe("x {\n    y {\n        z;\n        w {\n            v;\n        }\n    }\n}\n");
  });

  test("flexible_indentation: shallower than written", () => {
    const { made } = patch(
      "f() {\n  a;\n}\n",
      "    f() {\n      a;\n    }\n",
      "    f() {\n      a;\n      b;\n    }\n",
    );
    expect(made).toBe("f() {\n  a;\n  b;\n}\n");
  });

  test("flexible_indentation: lines whose levels cannot be told apart are refused", () => {
    const error = refusal("if a:\n    b()\nc()\n", {
      find: "if a:\nb()\n c()\n",
      replace: "if a:\nb()\n d()\n",
    });
    expect(error.reason).toBe("no_match");
  });

  test("look_alikes: typographic quotes and dashes in the file stay where nothing changes", () => {
    const { made, strategy } = patch("say(“it’s – ok”) # x\n", 'say("it\'s - ok")', 'say("it\'s - ok", 1)');
    expect([strategy, made]).toEqual(["look_alikes", "say(“it’s – ok”, 1) # x\n"]);
  });

  test("look_alikes: a single dash is nothing to go by", () => {
    expect(refusal("a - b\n", { find: "—", replace: "+" }).reason).toBe("no_match");
  });

  test("escapes: text that was escaped once too often is found, and its replacement read the same way", () => {
    const { made, strategy } = patch('print("a")\nx\n', 'print(\\"a\\")\\nx', 'print(\\"b\\")\\ny');
    expect([strategy, made]).toEqual(["escapes", 'print("b")\ny\n']);
  });

  test("escapes: what was escaped in the replacement alone stays as it is", () => {
    expect(patch('print("a")\n', 'print(\\"a\\")', 'print(\\"a\\n\\")').made).toBe('print("a\\n")\n');
  });

  test("block_anchors: a line remembered badly between two right ones", () => {
    const file = "function total(list) {\n  // sums up all of the items\n  let sum = 0;\n  return sum;\n}\n";
    const { made, strategy } = patch(
      file,
      "function total(list) {\n  // sums up all the items.\n  let sum = 0;\n  return sum;\n}",
      "function total(list) {\n  // sums up all the items.\n  let sum = 1;\n  return sum;\n}",
    );
    expect(strategy).toBe("block_anchors");
    expect(made).toBe(file.replace("sum = 0", "sum = 1"));
  });

  test("block_anchors: never everywhere, and never over another number of lines", () => {
    const file = "start here\n  the middle line\nend here\n";
    const edit = {
      find: "start here\n  the midle line\nend here\n",
      replace: "start here\n  new\nend here\n",
    };
    expect(patch(file, edit.find, edit.replace).strategy).toBe("block_anchors");
    expect(refusal(file, { ...edit, all: true }).reason).toBe("no_match");
    const longer = file.replace("end", "  kept\nend");
    expect(refusal(longer, edit).reason).toBe("no_match");
  });

  test("block_anchors: two such blocks are ambiguous", () => {
    const file = "start here\n  the middle line\nend here\n".repeat(2);
    const edit = {
      find: "start here\n  the midle line\nend here\n",
      replace: "start here\n  new\nend here\n",
    };
    expect(refusal(file, edit).message).toMatch(/matched by block_anchors.*line 1: "start here"; line 4/);
  });

  test("is refused when two places are alike, unless all are meant", () => {
    const file = "\tfoo( 1 )\n\tbar\n  foo(  1 )\n";
    const edit = { find: "foo( 1 )  ", replace: "foo(2)" };
    expect(refusal(file, edit).message).toMatch(/flexible_indentation/);
    expect(patch(file, edit.find, edit.replace, true).made).toBe("\tfoo(2)\n\tbar\n  foo(2)\n");
  });

  test("an empty replacement of lines with their ends takes the lines out", () => {
    expect(patch("a\n  b  \nc\n", "  b\n", "").made).toBe("a\nc\n");
  });

  test("changes nothing outside of the lines that it names", () => {
    const word = fc.constantFrom("foo(1)", "bar", "}", "if x {", "  ", "", "return “y”");
    const line = fc
      .tuple(fc.constantFrom("", "  ", "    ", "\t"), word, fc.constantFrom("", " ", "\t"))
      .map((parts) => parts.join(""));
    const file = fc.array(line, { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(
        file,
        fc.nat(),
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom("\n", "\r\n"),
        (lines, at, length, end) => {
          const from = at % lines.length;
          const wanted = lines.slice(from, from + length).map((text) => text.trimEnd().replace(/[“”]/g, '"'));
          const text = lines.map((text_) => text_ + end).join("");
          const made = attempt(text, {
            find: wanted.join("\n"),
            replace: `${wanted.join("\n")}\nNEW LINE`,
          });
          if (made === undefined) return;
          const [edit] = made.edits;
          const place = edit?.places[0];
          if (edit === undefined || place === undefined) return;
          const after = made.text.split(end);
          expect(after.slice(0, place.firstLine - 1)).toEqual(lines.slice(0, place.firstLine - 1));
          const rest = after.slice(place.lastLine);
          expect(rest).toEqual([...lines, ""].slice(lines.length + 1 - rest.length));
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe("guards", () => {
  test("a replacement that is the text itself is refused", () => {
    expect(refusal("a\n", { find: "a", replace: "a" }).reason).toBe("invalid");
  });

  test("an empty text to find is refused", () => {
    expect(refusal("a\n", { find: "", replace: "a" }).message).toMatch(/is empty/);
  });

  test("an edit that was made before changes nothing and says so", () => {
    const edit = ["import a\n", "import a\nimport bcd\n"] as const;
    const once = patch("import a\nrest\n", ...edit).made;
    const again = patch(once, ...edit);
    expect(again.made).toBe(once);
    expect(again.edit).toEqual({ strategy: "already_applied", count: 0, places: [] });
  });

  test("a replacement that stands where nothing is found any more was made before", () => {
    const again = patch("const limit = 20;\n", "const limit = 10;", "const limit = 20;");
    expect(again.strategy).toBe("already_applied");
  });

  test("a replacement that stands elsewhere does not hide a place that is found leniently", () => {
    const file = "return null;\nx  =  1\n";
    expect(patch(file, "x = 1", "return null;").made).toBe("return null;\nreturn null;\n");
  });

  test("a text of equal lines is searched in no time", () => {
    const file = "same line\n".repeat(50_000);
    const find = `${"same  line\n".repeat(5000)}other\n`;
    expect(refusal(file, { find, replace: "x\n" }).reason).toBe("no_match");
  });
});

describe("no match", () => {
  test("names the nearest place and what differs there", () => {
    const error = refusal("one\ntwo\nlet total = count + 1;\nfour\n", {
      find: "let total = counter + 1;\nfour",
      replace: "x",
    });
    expect(error.reason).toBe("no_match");
    expect(error.message).toContain(
      'The nearest place is lines 3 to 4. Line 3 is "let total = count + 1;", not "let total = counter + 1;".',
    );
  });

  test("says when nothing but case differs", () => {
    expect(refusal("let Total = 1\n", { find: "let total = 1", replace: "x" }).message).toContain(
      "upper and lower case",
    );
  });

  test("says when nothing is like it", () => {
    expect(refusal("abc\n", { find: "0123456789", replace: "x" }).message).toContain(
      "Nothing in the file is much like it.",
    );
  });

  test("shows no secret of the file", () => {
    const redacting = { path: "f", redact: (text: string) => text.replace("hunter2", "***") };
    expect(() =>
      patchText("password = hunter2\n", [{ find: "password = hunter3", replace: "x" }], redacting),
    ).toThrow(/Line 1 is "password = \*\*\*"/);
  });
});

describe("several edits", () => {
  test("are made one after the other, and each tells its place in the file as it is at the end", () => {
    const { text, edits } = patchText(
      "a\nb\nc\n",
      [
        { find: "c", replace: "c1\nc2" },
        { find: "a\n", replace: "a\nnew\n" },
        { find: "c2", replace: "c3" },
      ],
      context,
    );
    expect(text).toBe("a\nnew\nb\nc1\nc3\n");
    expect(edits.map(({ places }) => places)).toEqual([
      [{ firstLine: 4, lastLine: 5 }],
      [{ firstLine: 1, lastLine: 2 }],
      [{ firstLine: 5, lastLine: 5 }],
    ]);
  });

  test("name the one that failed", () => {
    const error = refusal("a\nb\n", { find: "a", replace: "x" }, { find: "zzz zzz", replace: "y" });
    expect(error.message).toContain("the text to find of edit 2");
  });
});

describe("a text to find that was copied from masked output", () => {
  const file = "first\ntoken = s3cr3t\nlast\n";

  test("is refused with the reason, and matches in no lenient way", () => {
    const find = "first\ntoken = [redacted:TOKEN]\nlast";
    const error = refusal(file, { find, replace: find.replace("last", "end") });
    expect(error.reason).toBe("no_match");
    expect(error.message).toMatch(/"\[redacted:TOKEN\]".*stands for a secret/);
    expect(error.message).not.toContain("s3cr3t");
  });

  test("is found where the file really says so", () => {
    expect(patch("show [redacted:TOKEN] here\n", "[redacted:TOKEN] here", "it").made).toBe("show it\n");
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesPattern, exactPattern } from "../../src/policy/command-pattern.js";
import { testPolicy } from "./test-policy.js";

const policy = await testPolicy();
const pieces = [
  "rm",
  "-rf",
  "/",
  " ",
  "\n",
  "'",
  '"',
  "`",
  "$(",
  ")",
  "${",
  "}",
  "{a,b}",
  "|",
  "&&",
  ";",
  "<<E\n",
  "E\n",
  "\\",
  "$x",
  "x=",
  "for i in ",
  "; do ",
  "done",
  "if ",
  "then ",
  "fi",
  "case a in ",
  "esac",
  "f() {",
  "sh -c ",
  "eval ",
  "xargs ",
  "sudo ",
  "find . -exec ",
  "{} +",
  "*",
  "?",
  "~",
  "[[ ",
  " ]]",
  "((",
  "))",
  "$'\\x72'",
  "<(",
  ">",
  "<<<",
  "\0",
  "é",
  "\uE000",
];

/** Shapes that make a careless parser or pattern slow, each about 1 MiB. */
const heavy: Readonly<Record<string, string>> = {
  "many lines": "echo hello $x\n".repeat(75_000),
  "open substitutions": "$(".repeat(500_000),
  "open arithmetic": "$((".repeat(300_000),
  quotes: "'\"".repeat(500_000),
  "backslashes and globs": "\\**?".repeat(250_000),
  "one long word": "a".repeat(1_000_000),
  "many words": `rm ${"a ".repeat(500_000)}`,
  "brace expansions": `echo ${"{a,b}".repeat(200_000)}`,
  pipelines: `${"a|".repeat(500_000)}a`,
  evals: `${"eval ".repeat(200_000)}ls`,
  "functions that call two others": Array.from(
    { length: 40 },
    (_, at) => `f${at}() { f${at + 1}; f${at + 1}; };`,
  )
    .join(" ")
    .concat(" f0"),
  "a value that doubles": `x=aaaaaaaa;${'x="$x$x";'.repeat(60)}eval "$x"`,
  "heredocs without end": "cat <<A\n".repeat(125_000),
  spaces: " ".repeat(1_000_000),
  "a path of globs": `rm -rf ${"/*".repeat(500_000)}`,
  "code of another language": `python3 -c 'import os; ${'os.system("a b"); x = ["a", "b"] '.repeat(30_000)}'`,
};

describe("any text", () => {
  it("gets a verdict", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), (parts) => {
        expect(["allow", "ask", "deny"]).toContain(policy.judge(parts.join("")).decision);
      }),
      { numRuns: 1500 },
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        expect(["allow", "ask", "deny"]).toContain(policy.judge(text).decision);
      }),
      { numRuns: 500 },
    );
  });

  it("is refused when rm -rf / stands at its end as a command of its own", () => {
    const words = ["ls", "echo a", "x=1", "cd b", "git status", "sed -n 1p f", "true", "(cd c)", "echo 'q;'"];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...words), { maxLength: 8 }),
        fc.constantFrom(";", "\n", " && ", " & "),
        (before, joint) => {
          expect(policy.judge([...before, "rm -rf /"].join(joint)).level).toBe("hardline");
        },
      ),
    );
  });

  it.each(Object.entries(heavy))(
    "of 1 MiB is judged while one can wait: %s",
    { timeout: 20_000 },
    (_, text) => {
      expect(["allow", "ask", "deny"]).toContain(policy.judge(text).decision);
    },
  );

  it("longer than 2 MiB is asked about, and refused where it is plain to see", () => {
    const long = `${" ".repeat(2_200_000)}; `;
    expect(policy.judge(`${long}ls`)).toMatchObject({ decision: "ask", rule: "unparsable" });
    expect(policy.judge(`${long}rm -rf /`).level).toBe("hardline");
  });
});

describe("a pattern", () => {
  it("made of a text matches that text and no other", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, other) => {
        expect(matchesPattern(exactPattern(text), text)).toBe(true);
        expect(matchesPattern(exactPattern(text), other)).toBe(text === other);
      }),
    );
  });
});
